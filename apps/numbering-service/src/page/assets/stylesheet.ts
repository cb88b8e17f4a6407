/** Light and dark, screen and paper. Everything is at least 44 px where it is touched. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: #f7f4ee;
  --surface: #fffdf9;
  --raised: #efeae0;
  --line: #d9d1c2;
  --field-line: #857c6d;
  --ink: #23211d;
  --soft: #5d564b;
  --accent: #1d5c4b;
  --accent-strong: #14463a;
  --on-accent: #ffffff;
  --accent-wash: #e3efe9;
  --danger: #9a2a1c;
  --danger-wash: #fbe9e5;
  --warning-wash: #fbf0d6;
  --warning-line: #b98a1b;
  --shadow: 0 1px 2px rgb(60 50 30 / 0.08), 0 4px 14px rgb(60 50 30 / 0.06);
  --radius: 12px;
  --figures: ui-rounded, "SF Pro Rounded", "Segoe UI", system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171a19;
    --surface: #1f2422;
    --raised: #2a302d;
    --line: #3a423e;
    --field-line: #8b958f;
    --ink: #ece9e2;
    --soft: #b4b3aa;
    --accent: #8fd0b8;
    --accent-strong: #b3e2d0;
    --on-accent: #10231c;
    --accent-wash: #24372f;
    --danger: #ff9f8f;
    --danger-wash: #3d2421;
    --warning-wash: #37301c;
    --warning-line: #c9a045;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); }
h1, h2 { line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.4vw, 2.15rem); margin: 0 0 1.25rem; }
h2 { font-size: 1.2rem; margin: 0 0 0.85rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.92em; }
code.long { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 6px; }
main:focus { outline: none; }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0; }
.skip { position: absolute; left: 0.75rem; top: -6rem; z-index: 2; padding: 0.75rem 1rem; background: var(--surface); color: var(--accent); border-radius: 0 0 var(--radius) var(--radius); }
.skip:focus { top: 0; }
.needs-script { display: none !important; }
.has-script .needs-script { display: inline-flex !important; }
#aviso.notice { position: sticky; bottom: 0.75rem; z-index: 1; width: min(40rem, 100% - 1.5rem); margin: 0 auto 0.75rem; }
#aviso.notice:empty { visibility: hidden; }
.print-only { display: none; }

.site { background: var(--surface); border-bottom: 1px solid var(--line); }
.site-inner { max-width: 72rem; margin: 0 auto; padding: 0.5rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; }
.brand { display: inline-flex; align-items: center; gap: 0.65rem; min-height: 44px; margin: 0; font-weight: 650; color: var(--ink); text-decoration: none; }
.brand:hover { color: var(--accent); }
.brand img { display: block; }
.main-nav { flex: 1 1 auto; }
.main-nav ul, .tabs ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 0.25rem; }
.main-nav a, .account a, .account button { display: inline-flex; align-items: center; min-height: 44px; padding: 0 0.7rem; border-radius: 8px; color: var(--ink); text-decoration: none; }
.main-nav a:hover, .account a:hover, .account button:hover { background: var(--raised); color: var(--ink); }
.main-nav [aria-current], .account [aria-current] { color: var(--accent); font-weight: 600; box-shadow: inset 0 -3px 0 var(--accent); border-radius: 8px 8px 0 0; }
.account { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.25rem; margin-left: auto; font-size: 0.95rem; }
.account .who { color: var(--soft); padding-right: 0.5rem; overflow-wrap: anywhere; }
.account form { margin: 0; }

main { flex: 1; width: 100%; max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
main.narrow { max-width: 40rem; }
.site-footer { max-width: 72rem; width: 100%; margin: 0 auto; padding: 1rem 1.25rem 2rem; color: var(--soft); font-size: 0.9rem; }
section { margin-top: 2rem; }
form + table, .notice + form { margin-top: 1.25rem; }
.lead { font-size: 1.08rem; color: var(--soft); max-width: 46rem; overflow-wrap: anywhere; }
.hint, .optional { color: var(--soft); font-size: 0.92rem; font-weight: 400; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 1.5rem; margin: 0 0 1.5rem; }
.form-section .panel, .panel:has(> h2) { max-width: 40rem; }

button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 48px; padding: 0.5rem 1.25rem; border: 1px solid var(--accent); border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
button.quiet, .button.quiet { background: transparent; border-color: var(--field-line); color: var(--ink); }
button.quiet:hover, .button.quiet:hover { background: var(--raised); color: var(--ink); }
button.danger:not(.quiet) { background: var(--danger); border-color: var(--danger); color: var(--surface); }
button.danger:not(.quiet):hover { background: var(--ink); border-color: var(--ink); color: var(--surface); }
.button.quiet.danger, button.quiet.danger { color: var(--danger); border-color: var(--danger); }
.button.quiet.danger:hover, button.quiet.danger:hover { background: var(--danger-wash); color: var(--danger); }
button.plain { background: none; border: 0; font-weight: 400; color: var(--ink); }
[aria-busy="true"] button { opacity: 0.65; cursor: progress; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0 0; }
.buttons:empty { display: none; }

.field { margin: 0 0 1.15rem; }
.field label { display: block; font-weight: 600; margin-bottom: 0.3rem; }
.field .hint { margin: -0.15rem 0 0.4rem; }
.field .wrong { margin: 0 0 0.4rem; color: var(--danger); font-weight: 600; }
input, select, textarea { width: 100%; min-height: 48px; padding: 0.55rem 0.8rem; border: 1px solid var(--field-line); border-radius: 10px; background: var(--paper); color: var(--ink); font: inherit; }
input[type="date"] { padding-inline: 0.45rem; }
textarea { resize: vertical; line-height: 1.5; }
[aria-invalid="true"] { border: 2px solid var(--danger); }

.notice { border: 1px solid var(--line); border-left: 6px solid var(--field-line); border-radius: var(--radius); background: var(--surface); padding: 0.9rem 1.1rem; margin: 0 0 1.25rem; overflow-wrap: anywhere; }
.notice p { margin: 0.15rem 0; }
.notice.done { border-left-color: var(--accent); background: var(--accent-wash); }
.notice.refused { border-left-color: var(--danger); background: var(--danger-wash); }
.notice.warning { border-left-color: var(--warning-line); background: var(--warning-wash); }
.tag { display: inline-block; padding: 0.05rem 0.6rem; border-radius: 999px; font-size: 0.86rem; font-weight: 600; white-space: nowrap; }
.tag.issued { background: var(--accent-wash); color: var(--accent); }
.tag.annulled { background: var(--danger-wash); color: var(--danger); }

.prefix { display: inline-block; white-space: nowrap; padding: 0 0.45em; border-radius: 0.35em; background: var(--raised); color: var(--soft); font-weight: 600; font-size: 0.82em; }
.figure { font-family: var(--figures); font-variant-numeric: tabular-nums; font-weight: 650; white-space: nowrap; }
.label { color: var(--soft); font-size: 0.92rem; }

.badge { display: flex; flex-wrap: wrap; align-items: center; gap: 0.1rem 0.75rem; min-height: 44px; margin: 0; }
.badge a { display: inline-flex; align-items: center; min-height: 44px; gap: 0.5rem; font-weight: 600; }
.badge a::before { content: ""; width: 0.75rem; height: 0.75rem; border-radius: 50%; background: var(--field-line); }
.badge.intact a::before { background: var(--accent); }
.badge.broken a { color: var(--danger); }
.badge.broken a::before { background: var(--danger); border-radius: 2px; }
#selo { margin: -0.75rem 0 0; }
#selo + section { margin-top: 1.25rem; }

.types { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1rem; }
.type { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.6rem; height: 100%; padding: 1.25rem 1.35rem; border: 1px solid var(--line); border-left: 6px solid var(--accent); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); color: var(--ink); text-decoration: none; transition: transform 120ms ease, border-color 120ms ease; }
.type:hover { border-color: var(--accent); color: var(--ink); transform: translateY(-2px); }
.type-name { font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
.type-next { flex-basis: 100%; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; }
.type-next .figure { font-size: 2rem; line-height: 1.25; color: var(--accent); }

.mine { list-style: none; margin: 0 0 1rem; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.mine li { display: grid; grid-template-columns: minmax(8.5rem, auto) 1fr auto auto 6.5rem; align-items: center; gap: 0.25rem 1rem; padding: 0.4rem 1rem; border-bottom: 1px solid var(--line); min-height: 60px; }
.mine li:last-child { border-bottom: 0; }
.mine-about { overflow-wrap: anywhere; }
.mine-when { color: var(--soft); font-size: 0.92rem; white-space: nowrap; }
.number { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 0.4rem; min-height: 44px; text-decoration: none; }
.number .figure { text-decoration: underline; text-decoration-thickness: 1px; }
.copy.small { min-height: 44px; padding: 0.25rem 0.9rem; background: transparent; color: var(--accent); }
.copy.small:hover { background: var(--accent-wash); color: var(--accent-strong); }
.copy.is-done::after { content: " ✓"; white-space: pre; }
.is-annulled .figure, .is-annulled .number .figure, .is-annulled .mine-about { text-decoration: line-through; text-decoration-thickness: 2px; }

.preview { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; margin: -0.5rem 0 1.25rem; }
.preview .figure { font-size: 2.1rem; line-height: 1.3; color: var(--accent); }
.result { max-width: 40rem; background: var(--surface); border: 1px solid var(--line); border-top: 6px solid var(--accent); border-radius: var(--radius); box-shadow: var(--shadow); padding: 1.75rem 1.25rem; margin: 0 0 1.5rem; text-align: center; overflow-wrap: anywhere; }
.result p:last-child { margin-bottom: 0; }
.result-type { font-size: 1.1rem; color: var(--soft); margin: 0; }
.result-number { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 0 0.9rem; margin: 0.25rem 0 0.9rem; font-size: clamp(2.6rem, 12vw, 4.75rem); line-height: 1.15; }
.result-number .prefix { font-size: 0.42em; }
.result > .figure { font-size: clamp(2.2rem, 10vw, 3.5rem); }
.result.is-annulled { border-top-color: var(--danger); }
.secret { font-size: clamp(1.2rem, 5.4vw, 1.9rem); margin: 0.5rem 0 1rem; font-weight: 650; }
.facts { margin: 0 0 1.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.25rem 1.25rem; }
.facts > div { display: grid; grid-template-columns: 9rem 1fr; gap: 0.1rem 1rem; padding: 0.6rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.facts > div:last-child { border-bottom: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.extra { margin: 0 0 1rem; }
.extra > summary { font-weight: 600; }
.extra > summary .optional { margin-left: 0.4rem; }
.events { list-style: none; margin: 0 0 1.5rem; padding: 0; }
.events > li { border-left: 3px solid var(--line); padding: 0 0 0.75rem 1rem; }
.events p { margin: 0 0 0.35rem; overflow-wrap: anywhere; }
.events .facts { margin: 0; border: 0; background: none; padding: 0; }
.events .facts > div { padding: 0.2rem 0; border: 0; }
summary { display: inline-flex; align-items: center; min-height: 44px; cursor: pointer; }
summary::before { content: "▸"; margin-right: 0.4rem; color: var(--soft); }
[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; }

.filters { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.25rem; }
.filter-fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr)); gap: 0 0.85rem; align-items: end; }
.filters .wide { grid-column: 1 / -1; }
.filters .optional { display: none; }
.filters .field { margin-bottom: 0.85rem; }
.filters .buttons { margin-top: 0.35rem; }
#resultado { margin-top: 1.5rem; }
.result-bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin-bottom: 0.75rem; }
.result-bar p { margin: 0; }
.count { color: var(--soft); }

table { width: 100%; border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
caption { text-align: left; font-weight: 600; padding: 0 0 0.5rem; }
#resultado caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 0.7rem 0.75rem; border-bottom: 1px solid var(--line); }
thead th { font-size: 0.88rem; color: var(--soft); font-weight: 600; background: var(--raised); white-space: nowrap; }
thead th:first-child { border-top-left-radius: 11px; }
thead th:last-child { border-top-right-radius: 11px; }
tbody tr:last-child > * { border-bottom: 0; }
tbody th { font-weight: 600; }
table { font-size: 0.95rem; }
td a, th a { display: inline-flex; align-items: center; min-height: 44px; margin: -0.65rem 0; }
td summary { margin: -0.65rem 0; }
.col-when, .col-number { white-space: nowrap; }
.col-figure { font-variant-numeric: tabular-nums; }
.col-text { overflow-wrap: anywhere; }
td .hint { display: block; }
td .number, th .number { flex-wrap: nowrap; }
.col-state { max-width: 16rem; overflow-wrap: anywhere; }
.reason { display: block; color: var(--soft); font-size: 0.92rem; }
.more a { display: inline-flex; align-items: center; min-height: 44px; }
.is-broken > * { background: var(--danger-wash); }
.paging { justify-content: space-between; }

.tabs { border-bottom: 1px solid var(--line); margin: 0 0 1.5rem; }
.tabs a { display: inline-flex; align-items: center; min-height: 48px; padding: 0 0.9rem; color: var(--ink); text-decoration: none; border-bottom: 3px solid transparent; }
.tabs a:hover { border-bottom-color: var(--line); }
.tabs [aria-current] { color: var(--accent); font-weight: 600; border-bottom-color: var(--accent); }
.actions { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 1rem; }
.action { display: flex; flex-direction: column; align-items: flex-start; justify-content: space-between; gap: 0.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.1rem 1.25rem; }
.action p { margin: 0; color: var(--soft); }

@media (min-width: 56rem) {
  .filter-fields { grid-template-columns: repeat(5, 1fr); }
}
@media (max-width: 56rem) {
  .cards, .cards tbody, .cards tr, .cards td, .cards tbody th, .cards caption { display: block; }
  .cards { border: 0; background: none; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.5rem 1rem; margin-bottom: 0.75rem; }
  .cards td, .cards tbody th { display: grid; grid-template-columns: 6.75rem minmax(0, 1fr); gap: 0.1rem 0.75rem; align-items: baseline; border: 0; padding: 0.25rem 0; max-width: none; white-space: normal; overflow-wrap: anywhere; }
  .cards td > *, .cards tbody th > * { grid-column: 2; justify-self: start; }
  .cards td::before, .cards tbody th::before { content: attr(data-label); grid-column: 1; grid-row: 1; color: var(--soft); font-size: 0.9rem; font-weight: 400; }
  .cards tr.is-broken { background: var(--danger-wash); }
  .is-broken > * { background: none; }
  td a, th a, td summary { margin: 0; }
}
@media (max-width: 44rem) {
  main { padding-top: 1.25rem; }
  .mine li { grid-template-columns: 1fr auto; padding: 0.75rem 1rem; }
  .mine-number { grid-column: 1; grid-row: 1; }
  .mine-about { grid-column: 1 / -1; }
  .mine-state { grid-column: 2; grid-row: 3; }
  .mine .copy { grid-column: 2; grid-row: 1; }
  .facts > div { grid-template-columns: 1fr; }
  .account { margin-left: 0; flex: 1 0 100%; flex-wrap: nowrap; border-top: 1px solid var(--line); }
  .account .who { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .account a, .account button { padding: 0 0.45rem; white-space: nowrap; }
  .main-nav { flex-basis: 100%; order: 3; margin: 0 -0.3rem; }
  .main-nav ul { gap: 0; justify-content: space-between; }
  .main-nav a { padding: 0 0.3rem; font-size: 0.92rem; }
  .panel { padding: 1.15rem; }
  .buttons > * { flex: 1 1 auto; }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; }
}
@media print {
  :root { --paper: #fff; --surface: #fff; --raised: #fff; --line: #999; --ink: #000; --soft: #333; --accent: #000; --accent-wash: #fff; --danger: #000; --danger-wash: #fff; --warning-wash: #fff; --shadow: none; }
  .site, .site-footer, .skip, #aviso, .filters, .tabs, .actions, .buttons, .count, form, .copy { display: none !important; }
  .print-only { display: block; margin-bottom: 0.75rem; }
  .print-only p { margin: 0.1rem 0; }
  body { font-size: 10pt; display: block; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 15pt; margin-bottom: 0.4rem; }
  #resultado { margin: 0; }
  table, .cards { display: table; border: 0; }
  .cards thead { display: table-header-group; position: static; clip-path: none; width: auto; height: auto; }
  .cards tbody { display: table-row-group; }
  .cards tr { display: table-row; break-inside: avoid; padding: 0; border: 0; }
  .cards td, .cards tbody th, thead th { display: table-cell; padding: 3pt 5pt; border: 0; border-bottom: 0.5pt solid #999; border-radius: 0; font-size: 9pt; white-space: normal; }
  .cards td::before, .cards tbody th::before { content: none; }
  .cards a { color: inherit; text-decoration: none; min-height: 0; margin: 0; }
  .tag, .prefix { padding: 0; background: none; color: inherit; font-size: inherit; }
  .tag { font-weight: 400; }
  .number .figure { text-decoration: none; }
  .is-annulled .number .figure { text-decoration: line-through; }
  @page { margin: 14mm 12mm; }
}
`;
