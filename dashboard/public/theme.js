// Runs before the first paint, as a file of its own because the content policy forbids inline scripts.
// The choice is kept in localStorage; 'system' (or nothing) follows the machine.
;(() => {
  const key = 'plinth.theme'
  const choices = ['system', 'dark', 'light', 'classic-dark']
  const light = matchMedia('(prefers-color-scheme: light)')
  const root = document.documentElement

  function get() {
    try {
      const stored = localStorage.getItem(key)
      return choices.includes(stored) ? stored : 'system'
    } catch {
      return 'system' // storage is switched off in this browser
    }
  }

  function apply(choice) {
    const theme = choice === 'system' ? (light.matches ? 'light' : 'dark') : choice
    if (root.dataset.theme === theme) return
    // Without this, everything with a transition would fade to the new palette at its own pace.
    root.classList.add('theme-flip')
    root.dataset.theme = theme
    requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('theme-flip')))
  }

  function set(choice) {
    try {
      localStorage.setItem(key, choice)
    } catch {
      // storage is switched off: the choice holds until the page is left
    }
    apply(choice)
  }

  light.addEventListener('change', () => apply(get()))
  addEventListener('storage', (event) => event.key === key && apply(get()))
  window.plinthTheme = { get, set }
  apply(get())
})()
