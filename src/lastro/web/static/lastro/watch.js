"use strict";
// Asks again how far a job got, and shows the whole page once it is over. Without scripts the page reloads.
(function () {
  var place = document.querySelector("[data-watch]");
  if (!place) { return; }
  function ask() {
    fetch(place.dataset.watch, { credentials: "same-origin" }).then(function (answer) {
      if (!answer.ok) { throw new Error(String(answer.status)); }
      var over = answer.headers.get("X-Lastro-Over") === "sim";
      return answer.text().then(function (text) {
        if (over) { window.location.reload(); return; }
        place.innerHTML = text;
        window.setTimeout(ask, 1000);
      });
    }).catch(function () { window.setTimeout(ask, 5000); });
  }
  window.setTimeout(ask, 700);
}());
