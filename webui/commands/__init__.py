"""The subcommands of ``handfoot``, one module each: ``add_parser`` defines it, ``run`` returns the exit code."""
