extends Node2D
## Plays a level that levolve wrote: the arrow keys move the player cell by cell, X uses levers and
## stairs, Enter shows and hides the solution. What keys, doors and monsters do is in rules.gd.

const STEPS := {
	"ui_left": ["l", Vector2i.LEFT],
	"ui_right": ["r", Vector2i.RIGHT],
	"ui_up": ["u", Vector2i.UP],
	"ui_down": ["d", Vector2i.DOWN],
}

@export_file("*.tscn") var level_path := "res://levels/maze.tscn"

var level: Node2D
var rules: Rules


func _ready() -> void:
	if not ResourceLoader.exists(level_path):
		push_error("%s is missing: write it with levolve, see README.md" % level_path)
		return
	level = load(level_path).instantiate()
	add_child(level)
	var things: Node = level.get_node_or_null("Things")
	var nodes: Array[Node] = []
	if things != null:
		nodes = things.get_children()
	rules = Rules.new(nodes, _cell_of(level.get_node("Places/entrance")), level.get_node("Floor"))
	_show()


func _unhandled_input(event: InputEvent) -> void:
	if level == null:
		return
	if event.is_action_pressed("ui_accept"):
		var solution: Line2D = level.get_node("Solution")
		solution.visible = not solution.visible
	if event is InputEventKey and event.pressed and event.keycode == KEY_X:
		rules.use()
	for action in STEPS:
		if event.is_action_pressed(action, true) and rules.may_leave(STEPS[action][0]):
			var target: Vector2i = rules.cell + STEPS[action][1]
			var floor_layer: TileMapLayer = level.get_node("Floor")
			var walls: TileMapLayer = level.get_node("Walls")
			if floor_layer.get_cell_source_id(target) >= 0 and walls.get_cell_source_id(target) < 0:
				rules.enter(target)
	_show()


func _show() -> void:
	var floor_layer: TileMapLayer = level.get_node("Floor")
	$Player.position = floor_layer.map_to_local(rules.cell)
	rules.show_things()
	$Bar/Status.text = rules.status()
	if rules.cell == _cell_of(level.get_node("Places/exit")):
		var moves: String = level.get_meta("solution")
		$Bar/Status.text = "Out! The shortest way has %d moves." % moves.length()
		set_process_unhandled_input(false)


func _cell_of(place: Node2D) -> Vector2i:
	var floor_layer: TileMapLayer = level.get_node("Floor")
	return floor_layer.local_to_map(place.position)
