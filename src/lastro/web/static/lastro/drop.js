"use strict";
// Files may be dragged onto the field; without scripts one chooses them.
(function () {
  var place = document.querySelector("[data-drop]");
  var field = place && place.querySelector("input[type=file]");
  if (!field) { return; }
  ["dragenter", "dragover"].forEach(function (name) {
    place.addEventListener(name, function (event) { event.preventDefault(); place.classList.add("over"); });
  });
  ["dragleave", "drop"].forEach(function (name) {
    place.addEventListener(name, function (event) { event.preventDefault(); place.classList.remove("over"); });
  });
  place.addEventListener("drop", function (event) {
    if (event.dataTransfer && event.dataTransfer.files.length) { field.files = event.dataTransfer.files; }
  });
}());
