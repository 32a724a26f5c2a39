"""The colours of pictures, for light and for dark ground. All of it fits into an SVG's style."""

from __future__ import annotations

# For each look: the fill and the border on light ground, then on dark ground.
_COLOURS = {
    "plain": ("#ffffff", "#8a94a6", "#20262f", "#7d8798"),
    "complete": ("#e9f6ec", "#2f9e5a", "#17301f", "#4cc07c"),
    "cached": ("#e8f1fc", "#3b7dd8", "#172a42", "#6ba5f0"),
    "running": ("#fff5dc", "#d39a1f", "#372b10", "#e3b64c"),
    "failed": ("#fdeaea", "#cf3a3a", "#3d1a1b", "#f07878"),
    "canceled": ("#f6ecf8", "#9a59b0", "#30203a", "#c48ad8"),
    "idle": ("#f3f4f6", "#b4bac4", "#1b2027", "#5b6472"),
    "artifact": ("#fbf7ee", "#b59a5b", "#2a2519", "#c9b074"),
}
_DASHED_BORDER = ("idle", "canceled")

_LIGHT = {"ground": "#fbfbfc", "text": "#1c222b", "muted": "#596273", "line": "#7a8496"}
_DARK = {"ground": "#14181e", "text": "#edf0f4", "muted": "#a5aebd", "line": "#8d97a8"}


def _grounds(colours: dict[str, str]) -> str:
    return (
        f".tw-ground{{fill:{colours['ground']}}}"
        f".tw text{{fill:{colours['text']}}}"
        f".tw .tw-line,.tw .tw-label{{fill:{colours['muted']}}}"
        f".tw-arrow path{{stroke:{colours['line']}}}"
        f".tw-arrow .tw-head{{fill:{colours['line']}}}"
    )


def _boxes(first: int) -> str:
    return "".join(
        f".tw-{look} rect{{fill:{colours[first]};stroke:{colours[first + 1]}}}"
        for look, colours in _COLOURS.items()
    )


STYLE = (
    '.tw text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;'
    "font-size:12px}"
    ".tw .tw-heading{font-size:16px;font-weight:600}"
    ".tw .tw-title{font-size:14px;font-weight:600}"
    ".tw .tw-label{font-size:11.5px}"
    ".tw-arrow path{fill:none;stroke-width:1.4}"
    ".tw-arrow .tw-head{stroke:none}"
    ".tw-dashed path{stroke-dasharray:5 4}"
    ".tw-box rect{stroke-width:1.5}"
    + "".join(f".tw-{look} rect{{stroke-dasharray:4 3}}" for look in (*_DASHED_BORDER, "dashed"))
    + _grounds(_LIGHT)
    + _boxes(0)
    + f"@media (prefers-color-scheme:dark){{{_grounds(_DARK)}{_boxes(2)}}}"
)
