"""The HTTP API of the studio, one file per noun. It is all that the page uses."""

from fastapi import APIRouter

from levolve.studio.api import about, archives, favourites, levels, maps, play, recipes, runs, sessions, shelf, tilesets, worlds

ROUTERS: tuple[APIRouter, ...] = (
    about.router,
    recipes.router,
    tilesets.router,
    runs.router,
    archives.router,
    levels.router,
    sessions.router,
    play.router,
    shelf.router,
    worlds.router,
    maps.router,
    favourites.router,
)
