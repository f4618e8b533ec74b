// Starts the page: theme, then everything that can be seen, then the scenario that the address names.

const THEMES = ["auto", "light", "dark"];

function remembered() {
  try { return localStorage.getItem("ptc-eval-theme") || "auto"; } catch { return "auto"; }
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme-name").textContent = theme;
  try { localStorage.setItem("ptc-eval-theme", theme); } catch { /* it is forgotten when the page is closed */ }
}

let theme = THEMES.includes(remembered()) ? remembered() : "auto";
setTheme(theme);
byId("theme").addEventListener("click", () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  setTheme(theme);
});

drawOverview();
drawCharts();
drawList();
listenToKeys();

whenChosen((change) => { if ("model" in change) views.forEach(drawRequests); });

function openNamed() {
  const name = location.hash.startsWith("#scenario=") ? decodeURIComponent(location.hash.slice(10)) : null;
  const entry = name && entries.find((one) => one.name === name);
  if (!entry) return;
  toggle(entry, true).then(() => {
    entry.row.focus({ preventScroll: true });
    entry.item.scrollIntoView({ block: "start" });
  });
}

addEventListener("hashchange", openNamed);
openNamed();
document.documentElement.dataset.ready = "true";
