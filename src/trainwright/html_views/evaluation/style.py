"""What the page of an evaluation adds to the style of pages."""

from __future__ import annotations

STYLE = """
main{width:auto;max-width:100%}
h2 small{font-weight:400;margin-left:4px}
.verdict{margin-top:18px;padding:14px 20px;border-radius:8px;border-left:5px solid currentColor;
max-width:90ch}
.verdict p{color:var(--text)}
.verdict .decision{color:inherit;font-size:20px;font-weight:600;margin:0}
.verdict.muted{background:var(--raised)}
.scroll{overflow:auto;max-height:84vh;max-width:100%;width:fit-content;
border:1px solid var(--line);border-radius:8px;background:var(--raised);margin-top:8px}
.scroll table{border-collapse:separate;border-spacing:0}
.scroll thead th{background:var(--raised)}
.scroll tbody,.scroll .plain tr{border:0}
.scroll tbody tr>*{border-bottom:1px solid var(--line);padding-top:7px;padding-bottom:7px}
.scroll tbody tr:last-child>*{border-bottom:0}
.checks td,.checks th{vertical-align:middle}
.checks b{font-weight:600}
.checks .what{padding-right:14px}
.checks .what small{margin:2px 0 0}
.bound-words{white-space:nowrap}
.passed{margin-top:16px}
.bound .allowed{fill:var(--good);opacity:.16}
.bound .end{stroke:var(--good);stroke-width:1.5}
.bound .missed{fill:var(--bad);opacity:.45}
.bound .whisker{stroke:var(--text);fill:none}
.bound .before{stroke:var(--s1);stroke-width:2}
.bound circle{fill:var(--s0)}
.scroll .name{overflow-wrap:break-word}
.metrics .name{position:sticky;left:0;z-index:1;background:var(--raised);min-width:140px;
max-width:240px;border-right:1px solid var(--line)}
.metrics thead th{z-index:2;line-height:17px}
.metrics thead .name{z-index:3}
.metrics thead tr+tr th{top:28px}
.metrics .group{text-align:left;padding-left:14px;font-weight:600;color:var(--text)}
.metrics .group span{position:sticky;left:190px}
.metrics .group+.group{border-left:1px solid var(--line)}
.metrics{--k:1px}
.metrics thead .n{white-space:normal;max-width:calc(32px + 96*var(--k))}
.metrics td,.metrics thead .n{padding-left:14px;padding-right:12px;text-align:right}
.metrics .all>*{font-weight:600;border-bottom:2px solid var(--line)}
.metrics .all small,.metrics .all span,.metrics .all .z{font-weight:400}
.metrics{line-height:20px}
.metrics small{display:block;line-height:17px;white-space:nowrap;color:var(--muted)}
.metrics small b{font-weight:400;color:var(--text);margin-left:3px}
.metrics .f{box-shadow:inset 0 0 0 99px var(--bad-ground)}
.metrics button{all:unset;cursor:pointer;color:inherit}
.metrics button:hover,.metrics button:focus-visible{color:var(--text);text-decoration:underline}
.metrics [aria-sort]{color:var(--text)}
.metrics [aria-sort=descending] button::after{content:" \\2193"}
.metrics [aria-sort=ascending] button::after{content:" \\2191"}
.metrics i{display:block;width:calc(96*var(--k));height:11px;margin:3px -4px 0 auto}
.metrics i,.legend i{background:
radial-gradient(circle closest-side,var(--s0) 88%,transparent)
calc(var(--v)*var(--k) - 4px) 50%/8px 8px,
linear-gradient(var(--s1),var(--s1)) calc(var(--b,-9)*var(--k) - 1px) 0/2px 11px,
linear-gradient(var(--s0),var(--s0)) calc(var(--o,0)*var(--k)) 50%/calc(var(--w,0)*var(--k)) 3px,
linear-gradient(var(--band),var(--band))
calc(var(--l,0)*var(--k)) 50%/calc(var(--u,0)*var(--k)) 9px,
linear-gradient(var(--line),var(--line)) calc(4*var(--k)) 50%/calc(88*var(--k)) 1px;
background-repeat:no-repeat;
--band:color-mix(in srgb,var(--s0) 26%,transparent)}
.controls,.controls label,input[type=search]{max-width:100%}
.controls label{display:flex;gap:6px;align-items:center}
.controls select{min-width:0;max-width:60ch}
.legend{margin:6px 0 0;max-width:none}
.legend i{display:inline-block;width:16px;height:11px;--k:1px;--line:transparent;--v:-9}
.legend .dot{--v:8}
.legend .tick{--b:8}
.legend .band{--u:16}
.charts{display:flex;flex-wrap:wrap;gap:14px 30px;margin:8px 0 22px;align-items:flex-start}
h3{font-size:14px;font-weight:600;margin:14px 0 0}
figure{margin:0;max-width:100%;overflow-x:auto}
figcaption{margin-bottom:6px;color:var(--muted)}
.picked>summary{display:none}
.curves{max-width:100%}
.curves .diagonal{fill:none;stroke:var(--muted);stroke-dasharray:3 4}
.curves .curve,.curves .key{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.curves .sizes{fill:none;stroke:currentColor;stroke-width:3;opacity:.35}
.curves circle{fill:currentColor}
.heat{border-collapse:separate;border-spacing:2px}
.heat th,.heat td{padding:5px 10px;border:0}
.heat thead th{position:static;background:none;border:0}
.heat tbody th{vertical-align:middle;color:var(--muted);font-size:12px}
.heat td{min-width:52px;border-radius:4px;
background:color-mix(in srgb,var(--s0) var(--h,0%),transparent)}
.heat .right{outline:1px solid var(--muted)}
pre{overflow:auto;max-height:60vh;padding:12px 16px;background:var(--raised);
border:1px solid var(--line);border-radius:8px;font-size:12.5px}
.facts th{color:var(--muted);white-space:nowrap}
.facts td{overflow-wrap:anywhere}
@media (max-width:640px){main{padding:18px 12px 48px}.metrics .name{min-width:112px;max-width:128px}
.scroll .name{padding-left:8px;padding-right:6px}
.checks .name{min-width:96px}input[type=search]{width:100%}}
@media (min-width:1200px){.metrics{--k:var(--wide,1px)}}
@media print{.scroll{max-height:none;overflow:visible}}
"""
