extends CharacterBody2D
## Moves with the arrow keys. Walls stop it, because their tiles have collision polygons.

const SPEED := 80.0


func _physics_process(_delta: float) -> void:
	velocity = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down") * SPEED
	move_and_slide()
