"""What an archive from anybody holds, checked in a process of its own before anything of it is put in place."""
