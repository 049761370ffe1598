class_name Rules
extends RefCounted
## The rules of things: what happens when the player enters a cell. Things are the nodes below
## `Things` of a level; their kind and fields are metadata. Any other kind is a decoration.

const MONSTERS := ["monster", "boss", "trap"]
const SWITCHES := ["lever", "button", "plate"]
const TAKEN := ["key", "small_key", "treasure", "potion", "player", "monster", "boss"]

var has := {}
var cell: Vector2i
var _at := {}
var _changed := {}
var _first := {}
var _cells := {}
var _rects := {}


func _init(things: Array[Node], entrance: Vector2i, layer: TileMapLayer) -> void:
	for thing in things:
		# Nodes without a kind are no things.
		if not thing.has_meta("kind"):
			continue
		_cells[thing] = layer.local_to_map(thing.position)
		if kind(thing) != "spawn":
			_at[_cells[thing]] = thing
		_changed[thing] = kind(thing) in SWITCHES and thing.get_meta("on", false)
		_rects[thing] = thing.region_rect if thing is Sprite2D else Rect2()
	for thing in _changed:
		_first[thing] = is_changed(thing)
	enter(entrance)
	show_things()


static func kind(thing: Node) -> String:
	return thing.get_meta("kind")


static func gives(thing: Node) -> Dictionary:
	match kind(thing):
		"key":
			return {"%s key" % thing.get_meta("color", "red"): 1}
		"small_key":
			return {"small key": 1}
		"treasure":
			return {"treasure": thing.get_meta("value", 1)}
		"potion", "player":
			return {"health": thing.get_meta("health", 0)}
	return {}


static func needs(thing: Node) -> Dictionary:
	match kind(thing):
		"door":
			return {"%s key" % thing.get_meta("color", "red"): 1}
		"small_door":
			return {"small key": 1}
		"treasure_gate":
			return {"treasure": thing.get_meta("amount", 5)}
		"monster", "boss", "trap":
			return {"health": thing.get_meta("damage", 1) + 1}
	return {}


static func costs(thing: Node) -> Dictionary:
	if kind(thing) in MONSTERS:
		return {"health": needs(thing)["health"] - 1}
	return needs(thing) if kind(thing) == "small_door" else {}


## Whether a gate is open: as at the start, or the opposite if its switch is on.
func is_open(gate: Node) -> bool:
	var switch: Node = gate.get_node(gate.get_meta("lever"))
	return gate.get_meta("open", false) != _changed[switch]


## Whether the player may leave its cell in a direction (u, d, l or r): one-ways have one.
func may_leave(direction: String) -> bool:
	var here: Node = _at.get(cell)
	return here == null or kind(here) != "one_way" or here.get_meta("direction", "r") == direction


## Go to a cell, unless a thing there is in the way.
func enter(target: Vector2i) -> bool:
	var thing: Node = _at.get(target)
	if thing != null and not _allows(thing):
		return false
	cell = target
	return true


## Use the lever, the stairs or the teleporter under the player.
func use() -> void:
	var here: Node = _at.get(cell)
	if here == null:
		return
	if kind(here) in ["lever", "button"]:
		_changed[here] = kind(here) == "button" or not _changed[here]
	elif kind(here) in ["stairs", "teleporter"]:
		enter(_cells[here.get_node(here.get_meta("to"))])


func _allows(thing: Node) -> bool:
	if kind(thing) == "gate":
		return is_open(thing)
	if kind(thing) == "plate":
		_changed[thing] = not _changed[thing]
	elif not kind(thing) in SWITCHES and not _changed[thing]:
		for resource in needs(thing):
			if has.get(resource, 0) < needs(thing)[resource]:
				return false
		for resource in gives(thing):
			has[resource] = has.get(resource, 0) + gives(thing)[resource]
		for resource in costs(thing):
			has[resource] -= costs(thing)[resource]
		_changed[thing] = not (gives(thing).is_empty() and needs(thing).is_empty())
	return true


## Whether a thing is taken, open, defeated or switched on.
func is_changed(thing: Node) -> bool:
	return is_open(thing) if kind(thing) == "gate" else _changed[thing]


## Show what is taken, open or switched: the metadata `used_rect` is the other sign of a thing.
func show_things() -> void:
	for thing in _changed:
		var other: bool = is_changed(thing) != _first[thing]
		thing.visible = not (other and kind(thing) in TAKEN)
		if thing is Sprite2D and thing.has_meta("used_rect"):
			thing.region_rect = thing.get_meta("used_rect") if other else _rects[thing]


## What the player has, in words.
func status() -> String:
	var parts: PackedStringArray = []
	for resource in has:
		if has[resource] > 0:
			parts.append("%d %s" % [has[resource], resource])
	return ", ".join(parts)
