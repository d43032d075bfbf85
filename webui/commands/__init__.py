"""The subcommands of ``handfoot``, one file each: ``add_parser`` describes it, ``run`` gives the exit code."""
