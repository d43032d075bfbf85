// Sentences for people: the page brings them along in its language (webui/context/texts/script_messages.py).

const messages = JSON.parse(document.getElementById("messages").textContent);
const plurals = new Intl.PluralRules(document.documentElement.lang);

// The sentence of this name with its values in place; where it has plurals, the one for the number "num".
export function message(name, values = {}) {
  const found = messages[name];
  const text = typeof found === "string" ? found : (found[plurals.select(values.num)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (place, key) => values[key] ?? place);
}
