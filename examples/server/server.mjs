import { createServer } from 'node:http'
import { createServerClient, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'
import { WebSocket } from 'ws'

const { PROJECT_URL, PUBLISHABLE_KEY, PORT = '3000' } = process.env

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => escapes[sign])

/** A client for one request: it finds the person's session in the cookies, and a new one goes back with the answer. */
function clientFor(request, response) {
  return createServerClient(PROJECT_URL, PUBLISHABLE_KEY, {
    cookies: {
      getAll: () => parseCookieHeader(request.headers.cookie ?? ''),
      setAll: (cookies) =>
        response.setHeader(
          'set-cookie',
          cookies.map(({ name, value, options }) =>
            serializeCookieHeader(name, value, { ...options, httpOnly: true, sameSite: 'lax' }),
          ),
        ),
    },
    // Node 20 has no WebSocket of its own. From Node 22 on, leave this line and the import of ws out.
    realtime: { transport: WebSocket },
  })
}

const page = (body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Todo</title><body><h1>Todo</h1>${body}</body></html>`

const signInForm = (problem = '') =>
  page(`<form method="post" action="/sign-in">
    <input name="email" type="email" aria-label="Email" required>
    <input name="password" type="password" aria-label="Password" required>
    <button>Sign in</button></form>
    ${problem && `<p role="alert">${escape(problem)}</p>`}`)

async function show(supabase, response) {
  // Asks the auth service: what a cookie says by itself is not to be trusted.
  const { data: who } = await supabase.auth.getUser()
  if (!who.user) return response.end(signInForm())
  const { data, error } = await supabase.from('todos').select('title').order('id')
  if (error)
    return response.writeHead(502).end(page(`<p role="alert">${escape(error.message)}</p>`))
  const items = data.map(({ title }) => `<li>${escape(title)}</li>`).join('')
  return response.end(
    page(`<p>${escape(who.user.email)}</p><ul>${items}</ul>
      <form method="post" action="/add"><input name="title" aria-label="Title" required><button>Add</button></form>
      <form method="post" action="/sign-out"><button>Sign out</button></form>`),
  )
}

const posts = {
  '/sign-in': (supabase, form) => supabase.auth.signInWithPassword(Object.fromEntries(form)),
  '/add': (supabase, form) => supabase.from('todos').insert({ title: form.get('title') }),
  '/sign-out': (supabase) => supabase.auth.signOut(),
}

async function answer(request, response) {
  const supabase = clientFor(request, response)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (request.method !== 'POST') return show(supabase, response)
  // A form of another site must not act for the person.
  const origin = request.headers.origin
  if (origin && new URL(origin).host !== request.headers.host) return response.writeHead(403).end()
  const run = posts[request.url]
  if (!run) return response.writeHead(404).end()
  let text = ''
  for await (const piece of request) text += piece
  const { error } = await run(supabase, new URLSearchParams(text))
  if (error) return response.writeHead(400).end(signInForm(error.message))
  return response.writeHead(303, { location: '/' }).end()
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end()
  })
})
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`http://localhost:${server.address().port}`),
)
