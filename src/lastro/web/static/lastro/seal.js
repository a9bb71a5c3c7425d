"use strict";
// Rows are sealed here to the verifier's key: HPKE (RFC 9180) in base mode, DHKEM(P-256, HKDF-SHA256),
// HKDF-SHA256, AES-256-GCM. The fields of the masses have no name, so no form ever sends them.
(function () {
  var form = document.querySelector("[data-seal]");
  if (!form) { return; }
  var told = { key: form.dataset.key, verifier: form.dataset.verifier, company: form.dataset.company };
  var year = Number(form.dataset.year), button = form.querySelector("[data-do]"), send = form.querySelector("[data-send]");
  var text = new TextEncoder(), KEM = [75, 69, 77, 0, 16], SUITE = [72, 80, 75, 69, 0, 16, 0, 1, 0, 2];

  function bytes() {
    var parts = Array.prototype.map.call(arguments, function (one) { return typeof one === "string" ? text.encode(one) : new Uint8Array(one); });
    var made = new Uint8Array(parts.reduce(function (sum, one) { return sum + one.length; }, 0)), at = 0;
    parts.forEach(function (one) { made.set(one, at); at += one.length; });
    return made;
  }
  function hex(data) { return Array.from(new Uint8Array(data), function (b) { return b.toString(16).padStart(2, "0"); }).join(""); }
  function unhex(word) { return new Uint8Array(word.match(/../g).map(function (pair) { return parseInt(pair, 16); })); }
  function base64(data) { return btoa(Array.from(new Uint8Array(data), function (b) { return String.fromCharCode(b); }).join("")); }

  async function mac(key, data) {
    var known = await crypto.subtle.importKey("raw", key.length ? key : new Uint8Array(32), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", known, data));
  }
  function extract(suite, salt, label, input) { return mac(salt, bytes("HPKE-v1", suite, label, input)); }
  async function expand(suite, secret, label, info, length) {
    return (await mac(secret, bytes([0, length], "HPKE-v1", suite, label, info, [1]))).slice(0, length);
  }

  async function sealed(plain, info) {
    var curve = { name: "ECDH", namedCurve: "P-256" }, whose = unhex(told.key), nothing = new Uint8Array(0);
    var theirs = await crypto.subtle.importKey("raw", whose, curve, false, []);
    var mine = await crypto.subtle.generateKey(curve, false, ["deriveBits"]);
    var shown = new Uint8Array(await crypto.subtle.exportKey("raw", mine.publicKey));
    var met = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, mine.privateKey, 256);
    var shared = await expand(KEM, await extract(KEM, nothing, "eae_prk", met), "shared_secret", bytes(shown, whose), 32);
    var context = bytes([0], await extract(SUITE, nothing, "psk_id_hash", nothing), await extract(SUITE, nothing, "info_hash", info));
    var secret = await extract(SUITE, shared, "secret", nothing);
    var key = await crypto.subtle.importKey("raw", await expand(SUITE, secret, "key", context, 32), "AES-GCM", false, ["encrypt"]);
    var nonce = await expand(SUITE, secret, "base_nonce", context, 12);
    return bytes(shown, await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, plain));
  }

  function milligrams(typed) { // whole kilograms, or a comma and up to six decimals; anything else is refused
    var found = /^(\d{1,11})(?:,(\d{1,6}))?$/.exec(typed.trim());
    return found ? BigInt(found[1] + (found[2] || "").padEnd(6, "0")) : null;
  }
  function rows() {
    var made = [], seen = {};
    form.querySelectorAll("[data-row]").forEach(function (line) {
      var material = line.querySelector("[data-material]").value, uf = line.querySelector("[data-uf]").value;
      var typed = line.querySelector("[data-mass]").value, back = line.querySelector("[data-returnable]").value;
      if (!material && !typed.trim() && !back.trim()) { return; }
      var mass = milligrams(typed), returnable = back.trim() ? milligrams(back) : BigInt(0), twice = seen[material + uf];
      if (!material || mass === null || returnable === null || returnable > mass || twice) { throw new Error("row"); }
      seen[material + uf] = true;
      made.push({ company: told.company, year: year, uf: uf, material: material, mass_mg: String(mass),
        returnable_mg: String(returnable), salt: hex(crypto.getRandomValues(new Uint8Array(32))) });
    });
    if (!made.length) { throw new Error("row"); }
    return made;
  }
  async function box(row) {
    var plain = text.encode(JSON.stringify(row).padEnd(512));
    var commit = hex(await crypto.subtle.digest("SHA-256", bytes("lastro blackbox row v1", [0], plain)));
    var info = text.encode(["lastro-blackbox-1", told.verifier, told.company, year, commit].join("|"));
    return { format: "lastro-blackbox-1", verifier: told.verifier, company: told.company, year: year,
      commitment: commit, sealed: base64(await sealed(plain, info)) };
  }

  button.addEventListener("click", async function () {
    var wrong = form.querySelector("[data-wrong]"), keep = form.querySelector("[data-keep]");
    wrong.hidden = true;
    try {
      var open = rows(), boxes = await Promise.all(open.map(box));
    } catch (problem) {
      wrong.hidden = false;
      wrong.focus();
      return;
    }
    form.querySelector("[name=lacrada]").value = JSON.stringify(boxes);
    var kept = JSON.stringify(open.map(function (row) { return JSON.stringify(row); }));
    keep.href = URL.createObjectURL(new Blob([kept], { type: "application/json" }));
    form.querySelector("[data-done]").hidden = false;
    form.querySelectorAll("[data-row] input, [data-row] select").forEach(function (one) { one.disabled = true; });
    button.hidden = true;
    send.focus();
  });
}());
