"""What any compiled turn game needs, and no rule of one: compiled functions and their cache, chance."""
