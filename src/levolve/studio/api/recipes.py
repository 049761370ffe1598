"""Recipes and their settings, from which the page makes its forms."""

from functools import cache
from importlib import resources
from typing import Any

from fastapi import APIRouter

from levolve.formats.text import TEXT
from levolve.recipes.adapt import adapt
from levolve.recipes.form import form_of
from levolve.recipes.recipe import RECIPES, find_recipe, shipped, summary_of
from levolve.studio.api.parts import RESPONSES, Settings
from levolve.studio.shown import shown_level

router = APIRouter(tags=["recipes"], responses=RESPONSES)


@router.get("/recipes")
def list_recipes() -> list[dict[str, Any]]:
    """List all recipes, with a level of each one that comes with levolve."""
    broken = RECIPES.broken()
    return [{"name": name, "summary": summary_of(RECIPES[name]), "sample": sample_of(name)} for name in RECIPES if name not in broken]


@cache
def sample_of(name: str) -> dict[str, Any] | None:
    """Return a level of a shipped recipe; None for other recipes."""
    file = resources.files("levolve.studio.samples") / f"{name}.txt"
    return shown_level(TEXT.decode(file.read_bytes())) if name in shipped() and file.is_file() else None


@router.get("/recipes/{name}")
def recipe(name: str) -> dict[str, Any]:
    """Return a recipe and the form of its settings."""
    RECIPES[name]
    found = find_recipe(name)
    return {"recipe": found.to_data(), "form": form_of(found)}


@router.post("/recipes/{name}/form")
def changed_form(name: str, settings: Settings) -> dict[str, Any]:
    """Return the form of a recipe with changed settings; another kind of a part has other fields."""
    RECIPES[name]
    found = adapt(name, settings={path: value for path, value in settings.items() if value is not None})
    return {"recipe": found.to_data(), "form": form_of(found)}
