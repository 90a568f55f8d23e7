// Runs before everything else, as a file of its own because the content policy forbids inline scripts.

// The theme, before the first paint. The choice is kept in localStorage; 'system' (or nothing) follows the machine.
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

// What the frame of every page behind the sign-in reads, and what some pages wait for: asked for while the browser is still
// reading the scripts that show it. api/early.ts takes the answers. Not with a token that ends soon, nor where the address
// brings another session.
;(() => {
  const path = location.pathname.replace(/\/$/, '')
  const frame = [
    '/platform/status',
    '/platform/profile',
    '/platform/organizations',
    // Of the hosted platform only: the server has written on the page what it is.
    ...(document.documentElement.dataset.mode === 'self-hosted'
      ? []
      : ['/platform/profile/permissions']),
    '/platform/banners',
  ]
  const ofOrganization = {
    '': ['projects?limit=100&offset=0'],
    '/team': ['members', 'roles'],
    '/billing': [
      'billing/invoices?limit=20&offset=0',
      'billing/subscription',
      'billing/invoices/upcoming',
      'customer',
      'tax-ids',
      'payments',
    ],
  }

  function wanted() {
    const [, room, name = '', rest = ''] =
      /^\/(organizations|org|project|account|new)(?:\/([^/]+)(\/.+)?)?$/.exec(path) ?? []
    if (!room) return []
    if (room === 'account' && name === 'me')
      return [...frame, '/auth/v1/user', '/platform/profile/sole-ownerships']
    // The organization of a self-hosted platform, which has that name and none of these pages.
    if (name === 'default-org-slug') return frame
    if (room === 'org' && Object.hasOwn(ofOrganization, rest))
      return [
        ...frame,
        ...ofOrganization[rest].map((what) => `/platform/organizations/${name}/${what}`),
      ]
    if (room === 'project' && /^[a-z]{20}$/.test(name))
      return [...frame, `/platform/projects/${name}`]
    return frame
  }

  if (location.hash.includes('access_token=')) return
  let session
  try {
    session = JSON.parse(localStorage.getItem('plinth.session'))
  } catch {
    return // not readable: the sign-in page will be next
  }
  if (!session?.access_token || !(session.expires_at * 1000 > Date.now() + 120_000)) return

  /** With its body read: whoever takes it has it at once. */
  async function ask(address, id) {
    const response = await fetch(address, {
      credentials: 'include',
      headers: {
        accept: 'application/json',
        version: '2',
        'x-request-id': id,
        authorization: `Bearer ${session.access_token}`,
      },
    })
    const { status, headers } = response
    return new Response((await response.text()) || null, { status, headers })
  }

  const asked = {}
  for (const address of wanted()) {
    const id = crypto.randomUUID()
    const answer = ask(address, id)
    // Told by whoever takes it; nobody may.
    answer.catch(() => undefined)
    asked[address] = { id, answer }
  }
  window.plinthEarly = { token: session.access_token, asked }
})()
