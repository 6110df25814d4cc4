# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What Sphinx needs to know; Scripts/site puts the pages together and calls it."""
import os

project = "Headroom"
author = "the Headroom project authors"
copyright = "2026 the Headroom project authors"
version = release = os.environ.get("HEADROOM_SITE_VERSION", "")

extensions = ["myst_parser"]
# The anchors that GitHub gives to headings.
myst_heading_anchors = 4
# Pages are written for GitHub as well: what is written there is what is meant.
smartquotes = False
# Output of commands is not always what its language says.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
nitpicky = True

highlight_language = "text"

html_theme = "furo"
html_title = "Headroom"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
