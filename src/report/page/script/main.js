// Starts the page: the theme, the sections, then the scenario that the address names.

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
drawList();
listenToKeys();

whenChosen((change) => { if ("model" in change) views.forEach(drawRequests); });

// The address of a request, such as `#scenario=shop/review&turn=7&strategy=trim`.
function address(entry, turn, strategy) {
  return `#${new URLSearchParams({ scenario: entry.name, turn, strategy: strategy.name })}`;
}

async function goTo(entry, strategy, turn) {
  await reveal(entry, strategy, turn);
  entry.title.focus({ preventScroll: true });
  entry.item.scrollIntoView({ block: "start" });
}

function openNamed() {
  const place = new URLSearchParams(location.hash.slice(1));
  const entry = entries.find((one) => one.name === place.get("scenario"));
  if (!entry) [...views.keys()].forEach((index) => shut(entries[index]));
  if (entry) goTo(entry, strategies.find((one) => one.name === place.get("strategy")), Number(place.get("turn")));
}

addEventListener("hashchange", openNamed);
openNamed();
document.documentElement.dataset.ready = "true";
