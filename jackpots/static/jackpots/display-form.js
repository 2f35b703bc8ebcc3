// The preview beside a display's form: the sign's own page with what is filled in, in both orientations.
"use strict";
(() => {
  const form = document.querySelector("[data-previewed]"), moment = document.querySelector("[data-moment]");
  let waiting = 0;
  function show() {
    const given = new URLSearchParams(new FormData(form));
    given.delete("csrfmiddlewaretoken");
    given.set("moment", moment.value);
    document.querySelectorAll("[data-preview]").forEach((frame) => { frame.src = `${frame.dataset.preview}?${given}`; });
  }
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(show, 400); };
  form?.addEventListener("input", soon);
  moment?.addEventListener("change", show);
  if (form) { show(); }
})();
