// Adds buttons that copy a citation.
"use strict";
(() => {
  if (!navigator.clipboard) return;
  for (const text of document.querySelectorAll(".cite p, .cite pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "second";
    const words = text.tagName === "PRE" ? "Copy BibTeX" : "Copy the citation";
    button.textContent = words;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = words; }, 2000);
    });
    text.after(button);
  }
})();
