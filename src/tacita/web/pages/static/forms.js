// Makes forms shorter: hides what a choice does not need, filters and ticks long lists, keeps empty fields out of the address.
"use strict";
(() => {
  const form = document.querySelector("form.ask");
  if (!form) return;

  const statistic = form.querySelector("[name=statistic]");
  const fit = () => {
    for (const part of form.querySelectorAll("[data-for], [data-not-for]")) {
      const wanted = part.dataset.for ? part.dataset.for.split(" ").includes(statistic.value) : statistic.value !== part.dataset.notFor;
      part.hidden = !wanted;
      for (const field of part.querySelectorAll("select, input")) field.disabled = !wanted;
    }
  };
  if (statistic) {
    statistic.addEventListener("change", fit);
    fit();
  }

  for (const box of form.querySelectorAll("[data-filter]")) {
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filter";
    field.placeholder = "Show classes with …";
    field.setAttribute("aria-label", `Filter: ${box.querySelector("legend").textContent}`);
    field.addEventListener("input", () => {
      const word = field.value.trim().toLowerCase();
      for (const entry of box.querySelectorAll("li")) {
        entry.hidden = !entry.textContent.toLowerCase().includes(word) && !entry.querySelector("input").checked;
      }
    });
    field.addEventListener("keydown", event => { if (event.key === "Enter") event.preventDefault(); });
    const many = document.createElement("p");
    many.className = "tick-many";
    for (const [words, wanted] of [["Tick all shown", true], ["Untick all", false]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.textContent = words;
      button.setAttribute("aria-label", `${words}: ${box.querySelector("legend").textContent}`);
      button.addEventListener("click", () => {
        for (const entry of box.querySelectorAll("li")) {
          if (!wanted || !entry.hidden) entry.querySelector("input").checked = wanted;
        }
        box.dispatchEvent(new Event("change", { bubbles: true }));
      });
      many.append(button);
    }
    box.insertBefore(field, box.querySelector("ul"));
    box.insertBefore(many, box.querySelector("ul"));
  }

  form.addEventListener("change", event => {
    const part = event.target.closest(".universe details");
    if (!part) return;
    const ticks = [...part.querySelectorAll("input[type=checkbox]")];
    const ticked = ticks.filter(tick => tick.checked).length;
    part.querySelector("summary .quiet").textContent = ticked ? `${ticked} of ${ticks.length}` : "all";
  });

  form.addEventListener("submit", () => {
    for (const field of form.querySelectorAll("select, input")) {
      if (field.value === "" && !field.required) field.disabled = true;
    }
  });
  window.addEventListener("pageshow", () => {  // whoever comes back finds the form as it was
    for (const field of form.querySelectorAll("select, input")) field.disabled = false;
    if (statistic) fit();
  });
})();
