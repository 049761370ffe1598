"""The HTTP API of the studio, one file per noun. It is all that the page uses."""

from fastapi import APIRouter

from levolve.studio.api import catalogue, levels, maps, runs, sessions, shared, shelf, worlds
from levolve.studio.api import levels as archives
from levolve.studio.api import levels as play
from levolve.studio.api import worlds as favourites

ROUTERS: tuple[APIRouter, ...] = (
    shared.router,
    catalogue.router,
    catalogue.tilesets_router,
    runs.router,
    archives.archives_router,
    levels.router,
    sessions.router,
    play.play_router,
    shelf.router,
    worlds.router,
    maps.router,
    favourites.favourites_router,
)
