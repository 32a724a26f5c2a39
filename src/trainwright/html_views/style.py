"""The style of pages: calm, on light and on dark ground, with nothing from elsewhere."""

from __future__ import annotations

# By name: the colour on light ground, then on dark ground. The contrast of text is 4.5 or more.
_COLOURS = {
    "ground": ("#fbfbfc", "#14181e"),
    "raised": ("#ffffff", "#1a1f27"),
    "text": ("#1c222b", "#e6eaf0"),
    "muted": ("#5c6575", "#9aa5b5"),
    "line": ("#e3e6eb", "#2b323d"),
    "accent": ("#2b66b8", "#7db2f5"),
    "good": ("#1d7a43", "#5fce8d"),
    "good-ground": ("#e9f6ec", "#17301f"),
    "warn": ("#8a5a00", "#e8bd5f"),
    "warn-ground": ("#fff5dc", "#33290f"),
    "bad": ("#b32626", "#f58b8b"),
    "bad-ground": ("#fdeaea", "#3d1a1b"),
    "s0": ("#3b7dd8", "#6ba5f0"),
    "s1": ("#d9822b", "#eda55d"),
    "s2": ("#2f9e77", "#4fc49a"),
    "s3": ("#9a59b0", "#c48ad8"),
    "s4": ("#3a97a8", "#62c0d0"),
    "s5": ("#7a8496", "#98a2b3"),
}


def _variables(ground: int) -> str:
    pairs = (f"--{name}:{colours[ground]}" for name, colours in _COLOURS.items())
    return f":root{{{';'.join(pairs)}}}"


_SPLITS = "".join(f".s{index}{{color:var(--s{index})}}" for index in range(6))

STYLE = (
    ":root{color-scheme:light dark}"
    + _variables(0)
    + f"@media (prefers-color-scheme:dark){{{_variables(1)}}}"
    + """
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);
font:14px/1.45 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
main{width:max-content;min-width:100%;padding:28px 24px 64px}
h1{font-size:22px;font-weight:600;margin:0 0 2px}
h2{font-size:16px;font-weight:600;margin:36px 0 8px}
p{margin:4px 0;max-width:76ch}
a{color:var(--accent)}
small,.muted{color:var(--muted)}
small{font-size:12px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;font-weight:400}
.features th,.features td{padding-right:9px}
thead th{position:sticky;top:0;z-index:1;background:var(--ground);color:var(--muted);
font-size:12px;border-bottom:1px solid var(--line);vertical-align:bottom;white-space:nowrap}
tbody,.plain tr{border-bottom:1px solid var(--line)}
tbody tr:first-child>*{padding-top:9px}
tbody tr:last-child>*{padding-bottom:9px}
tbody tr:not(:last-child){height:28px}
.n{text-align:right;white-space:nowrap}
.n small{display:inline-block;min-width:3.4em}
.two .n small{display:block}
.z{color:var(--muted)}
.name{max-width:240px;min-width:150px;overflow-wrap:anywhere;unicode-bidi:isolate}
.name b{font-weight:600}
.name small{display:block}
.text thead th{white-space:normal}
.features .name{max-width:200px}
.features .top{max-width:110px}
.top,.value{max-width:180px;overflow-wrap:anywhere;unicode-bidi:isolate}
.split{white-space:nowrap}
.split::before{content:"";display:inline-block;width:8px;height:8px;border-radius:2px;
margin-right:6px;background:currentColor}
.split span{color:var(--text)}
.warning{display:block;margin-top:4px;color:var(--warn);font-size:12.5px}
.warning::before{content:"\\25B2\\00A0";font-size:9px}
.warned .name{box-shadow:inset 3px 0 var(--warn)}
.name{padding-left:12px}
thead .name{padding-left:12px}
svg{display:block;overflow:hidden}
svg path{fill:currentColor}
svg text{fill:var(--text);font-size:11.5px}
svg .muted{fill:var(--muted)}
svg .axis{fill:none;stroke:var(--line)}
svg .faint{opacity:.4}
svg .dense{opacity:.85}
.values path{opacity:.22}
.quantiles{display:none}
body:has(#quantiles:checked) .quantiles{display:block}
body:has(#quantiles:checked) .standard{display:none}
.controls{display:flex;gap:6px 22px;flex-wrap:wrap;align-items:center;margin:22px 0 0;
position:sticky;left:24px;width:fit-content}
.controls[hidden],table[hidden],tbody[hidden],details[hidden],section[hidden]{display:none}
input[type=search],select{font:inherit;color:inherit;background:var(--raised);
border:1px solid var(--line);border-radius:6px;padding:5px 10px}
input[type=search]{width:240px}
.choice{margin:0 0 6px;font-size:13px;color:var(--muted)}
.choice label{margin-right:14px}
details{margin:10px 0}
summary{cursor:pointer;padding:4px 0}
.mark{display:inline-block;padding:1px 9px;border-radius:10px;font-size:12.5px;white-space:nowrap}
.good{color:var(--good);background:var(--good-ground)}
.warn{color:var(--warn);background:var(--warn-ground)}
.bad{color:var(--bad);background:var(--bad-ground)}
.charts{display:flex;flex-wrap:wrap;gap:8px 14px;width:414px}
.what{max-width:42ch;white-space:pre-line;overflow-wrap:anywhere}
.what ul{margin:0;padding-left:18px;white-space:normal}
.domain{display:flex;flex-wrap:wrap;gap:4px 6px;margin:6px 0 0;padding:0;list-style:none;
max-width:110ch}
.domain li{background:var(--raised);border:1px solid var(--line);border-radius:5px;padding:0 7px;
unicode-bidi:isolate;overflow-wrap:anywhere}
.facts{margin-top:14px}
@media print{thead th{position:static}.controls{display:none}}
"""
    + _SPLITS
)
