"""Item-response models: how hard items are, how able persons are, on one scale, and how far the model fits."""
