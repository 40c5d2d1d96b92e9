// The equation: variables move between two lists by buttons, by the keyboard and by dragging; the ticks stay what is sent.
"use strict";
(() => {
  const form = document.querySelector('form.ask[data-kind="regress"]');
  if (!form) return;
  form.classList.add("is-scripted");
  const available = form.querySelector("[data-list=available]");
  const chosen = document.createElement("div");
  chosen.className = "list";
  chosen.dataset.list = "chosen";
  const title = document.createElement("h3");
  title.id = "chosen-title";
  title.textContent = "In the equation";
  const list = document.createElement("ul");
  list.className = "predictors";
  list.setAttribute("aria-labelledby", "chosen-title");
  chosen.append(title, list);
  available.before(chosen);
  const pool = available.querySelector("ul");
  const order = [...pool.children];
  const ticks = item => [...item.querySelectorAll("input[name=x]")];
  const isChosen = item => item.parentElement === list;

  const move = (item, into) => {
    if (into) {
      list.append(item);
      if (!ticks(item).some(tick => tick.checked)) ticks(item)[0].checked = true;
    } else {
      for (const tick of ticks(item)) tick.checked = false;
      const after = order.slice(order.indexOf(item) + 1).find(other => other.parentElement === pool);
      pool.insertBefore(item, after || null);
    }
    name(item);
    show();
  };

  const name = item => {
    const button = item.querySelector("button");
    const legend = item.querySelector("legend").firstChild.textContent.trim();
    button.textContent = isChosen(item) ? "Remove" : "Add";
    button.setAttribute("aria-label", isChosen(item) ? `Remove ${legend} from the equation` : `Add ${legend} to the equation`);
  };

  const label = text => {
    const cut = text.lastIndexOf(":");
    const change = cut < 0 ? "" : text.slice(cut + 1);
    const bare = decodeURIComponent(cut < 0 ? text : text.slice(0, cut));
    return change ? `${change}(${bare})` : bare;
  };
  const variable = text => text.lastIndexOf(":") < 0 ? text : text.slice(0, text.lastIndexOf(":"));
  const guarded = text => text.replace(/%/g, "%25").replace(/\*/g, "%2A").replace(/:/g, "%3A");

  const sets = (terms, size) => size === 0 ? [[]] :
    terms.flatMap((term, place) => sets(terms.slice(place + 1), size - 1).map(rest => [term, ...rest]));

  const box = form.querySelector("#interactions");
  const interactions = terms => {
    const same = value => value.split("*").sort().join("*");
    const ticked = new Set([...box.querySelectorAll("input:checked")].map(tick => same(tick.value)));
    for (const old of box.querySelectorAll("ul, p.quiet")) old.remove();
    const found = [2, 3].flatMap(size => sets(terms.slice(0, 8), size))
      .filter(some => new Set(some.map(variable)).size === some.length);
    const made = document.createElement(found.length ? "ul" : "p");
    made.className = found.length ? "ticks" : "quiet";
    if (!found.length) made.textContent = "Move two predictors or more into the equation to choose interactions of them.";
    for (const some of found) {
      const entry = document.createElement("li");
      const line = document.createElement("label");
      const tick = document.createElement("input");
      const words = document.createElement("span");
      tick.type = "checkbox";
      tick.name = "i";
      tick.value = some.map(text => guarded(label(text))).join("*");
      tick.checked = ticked.has(same(tick.value));
      words.textContent = some.map(label).join(" × ");
      line.append(tick, " ", words);
      entry.append(line);
      made.append(entry);
    }
    box.querySelector("legend").after(made);
  };

  const terms = () => [...list.querySelectorAll("input[name=x]:checked")].map(tick => tick.value);
  const say = () => {
    const response = form.querySelector("#response").value;
    const parts = [...terms().map(label), ...[...box.querySelectorAll("input:checked")].map(tick => tick.nextElementSibling.textContent)];
    form.querySelector("#equation").textContent = response || parts.length ? `${response || "…"} ~ ${parts.join(" + ") || "…"}` : "";
  };
  const show = () => { interactions(terms()); say(); };

  for (const item of order) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "second";
    button.addEventListener("click", () => { move(item, !isChosen(item)); button.focus(); });
    item.append(button);
    item.draggable = true;
    item.addEventListener("dragstart", event => event.dataTransfer.setData("text/plain", item.dataset.name));
    if (ticks(item).some(tick => tick.checked)) list.append(item);
    name(item);
  }
  for (const place of [chosen, available]) {
    place.addEventListener("dragover", event => { event.preventDefault(); place.classList.add("over"); });
    place.addEventListener("dragleave", () => place.classList.remove("over"));
    place.addEventListener("drop", event => {
      event.preventDefault();
      place.classList.remove("over");
      const item = order.find(other => other.dataset.name === event.dataTransfer.getData("text/plain"));
      if (item) move(item, place === chosen);
    });
  }
  form.addEventListener("change", event => {
    if (event.target.name === "x") {
      const item = event.target.closest("li");
      if (!ticks(item).some(tick => tick.checked)) return move(item, false);
      show();
    } else say();
  });
  show();
})();
