"""What all blueprints share: who is looking, in which language, as page, fragment or JSON, and how to say no."""
