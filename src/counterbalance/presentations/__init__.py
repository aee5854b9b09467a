"""What is asked: orders assigned from a seed, prompts rendered, and the only slot-candidate map."""
