"""Who takes the tasks: controllers that know the task, and learners that do not."""
