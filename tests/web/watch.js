/* Put at the top of a report under test: remembers what goes wrong while the page loads. */
window.troubles = [];
window.addEventListener("error", (event) => window.troubles.push(event.message));
window.addEventListener("unhandledrejection", (event) => window.troubles.push(String(event.reason)));
window.addEventListener("securitypolicyviolation", (event) => window.troubles.push(`blocked ${event.blockedURI}`));
for (const level of ["error", "warn"]) {
  const plain = console[level];
  console[level] = (...words) => {
    window.troubles.push(words.join(" "));
    plain.apply(console, words);
  };
}
