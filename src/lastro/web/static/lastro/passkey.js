// A form asks the browser for a passkey: what is asked stands in the form, the answer goes into its field.
"use strict";
(() => {
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const told = (form) => { form.querySelector("[data-told]").hidden = false; };
  const ask = async (form) => {
    const asked = JSON.parse(form.dataset.options);
    const making = form.dataset.passkey === "new";
    asked.challenge = bytes(asked.challenge);
    for (const one of asked.allowCredentials || asked.excludeCredentials || []) one.id = bytes(one.id);
    if (making) asked.user.id = bytes(asked.user.id);
    const got = making
      ? await navigator.credentials.create({ publicKey: asked })
      : await navigator.credentials.get({ publicKey: asked });
    const said = { clientDataJSON: text(got.response.clientDataJSON) };
    if (making) said.attestationObject = text(got.response.attestationObject);
    else {
      said.authenticatorData = text(got.response.authenticatorData);
      said.signature = text(got.response.signature);
    }
    const answer = { id: got.id, rawId: text(got.rawId), type: got.type, response: said, clientExtensionResults: {} };
    form.querySelector("[name=resposta]").value = JSON.stringify(answer);
  };
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    if (!window.PublicKeyCredential) continue;
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      if (form.querySelector("[name=resposta]").value) return;
      event.preventDefault();
      ask(form).then(
        () => form.submit(),
        () => told(form),
      );
    });
  }
})();
