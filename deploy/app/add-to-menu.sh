#!/bin/sh
# Puts Hand & Foot into the menu of programs of this user, from where a click starts it.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
menu=${XDG_DATA_HOME:-$HOME/.local/share}/applications
mkdir -p "$menu"
cat > "$menu/handfoot.desktop" <<END
[Desktop Entry]
Type=Application
Name=Hand & Foot
Comment=Reads the cards on the table and keeps the score
Exec="$folder/handfoot"
Icon=$folder/_internal/webui/static/icon.svg
Terminal=true
Categories=Game;CardGame;
END
echo "Hand & Foot is in the menu of programs now."
