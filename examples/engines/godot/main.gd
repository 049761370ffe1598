extends Node2D
## Loads a level that levolve wrote, puts the player on its entrance, and notices when the player reaches the exit.
## Enter shows and hides the solution.

@export_file("*.tscn") var level_path := "res://levels/maze.tscn"

var level: Node2D


func _ready() -> void:
	if not ResourceLoader.exists(level_path):
		push_error("%s is missing: write it with levolve, see README.md" % level_path)
		return
	level = load(level_path).instantiate()
	add_child(level)
	$Player.position = level.get_node("Places/entrance").position


func _physics_process(_delta: float) -> void:
	if level == null:
		return
	var floor_layer: TileMapLayer = level.get_node("Floor")
	var exit: Vector2 = level.get_node("Places/exit").position
	if floor_layer.local_to_map($Player.position) == floor_layer.local_to_map(exit):
		print("Out! The shortest way has %d steps." % str(level.get_meta("solution")).length())
		set_physics_process(false)


func _unhandled_input(event: InputEvent) -> void:
	if level != null and event.is_action_pressed("ui_accept"):
		var solution: Line2D = level.get_node("Solution")
		solution.visible = not solution.visible
