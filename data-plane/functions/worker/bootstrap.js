// Runs inside of every worker, in front of the function: serves on the worker's socket what the function hands to
// Deno.serve, and gives it what it expects to find. Nothing here protects anybody: the limits of the process do.

import { AsyncLocalStorage } from 'node:async_hooks'
import { leadToDatabase } from './database.js'

const { entry, socket, gateway, database, ref, temporary, folder, usesPackages } = JSON.parse(
  Deno.args[0] ?? '{}',
)
const { serve, exit, inspect, upgradeWebSocket } = Deno

/** The first line of what the one who started us says, and what has come behind it. */
function firstLine() {
  const decoder = new TextDecoder()
  const part = new Uint8Array(65_536)
  let text = ''
  while (!text.includes('\n')) {
    const read = Deno.stdin.readSync(part)
    if (read === null) exit(0)
    text += decoder.decode(part.subarray(0, read), { stream: true })
  }
  const end = text.indexOf('\n')
  return [text.slice(0, end), text.slice(end + 1)]
}
// Some names would change how a program starts, so those that people choose come when it has.
const [environment, behind] = firstLine()
for (const [name, value] of Object.entries(JSON.parse(environment))) {
  if (!Deno.env.has(name)) Deno.env.set(name, value)
}

const url = Deno.env.get('SUPABASE_URL') ?? ''
const encoder = new TextEncoder()

/** @param {object} message */
function tell(message) {
  const bytes = encoder.encode(`\u0001${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at))
}

/** The ID of the request that is being answered: one worker answers several at a time. */
const requestIds = new AsyncLocalStorage()

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace']) {
  console[level] = (...values) => {
    const text = values.map((value) => (typeof value === 'string' ? value : inspect(value)))
    tell({ log: text.join(' ').slice(0, 10_000), level, request: requestIds.getStore() })
  }
}

let handler
let ready
const handed = new Promise((resolve) => (ready = resolve))
const address = { transport: 'tcp', hostname: '0.0.0.0', port: 8000 }
function take(given) {
  if (typeof given !== 'function') throw new TypeError('A handler has to be a function')
  handler = given
  ready()
  const never = new Promise(() => {})
  return { finished: never, addr: address, ref() {}, unref() {}, shutdown: () => never }
}
Deno.serve = (first, second) => {
  const options = typeof first === 'function' ? second : first
  options?.onListen?.(address)
  const chosen = typeof first === 'function' ? first : (second ?? first?.handler)
  const { onError } = options ?? {}
  return take(
    onError && chosen
      ? async (...call) => {
          try {
            return await chosen(...call)
          } catch (error) {
            return onError(error)
          }
        }
      : chosen,
  )
}
Deno.upgradeWebSocket = upgradeWebSocket

const { leadSockets } = leadToDatabase(Deno.env.get('SUPABASE_DB_URL'), database)

// Servers of Node's kind, on which some frameworks stand, listen at the same place. Loading them takes as long as
// everything else together, so only functions that import something from elsewhere pay for it.
if (usesPackages) {
  const { Server } = await import('node:http')
  const { listen: listenAnywhere, emit } = Server.prototype
  Server.prototype.emit = function (...values) {
    const say = () => emit.apply(this, values)
    if (values[0] !== 'request') return say()
    return requestIds.run(values[1].headers['x-request-id'], say)
  }
  Server.prototype.listen = function (...values) {
    const listening = values.find((value) => typeof value === 'function')
    return listenAnywhere.call(this, { path: socket }, () => {
      listening?.call(this)
      tell({ ready: true })
    })
  }
  leadSockets(await import('node:net'))
}

let pending = 0
const waited = new Set()
globalThis.EdgeRuntime = {
  waitUntil(promise) {
    tell({ pending: (pending += 1) })
    const done = finish(promise).finally(() => waited.delete(done))
    waited.add(done)
    return promise
  },
}
async function finish(promise) {
  try {
    await promise
  } catch (error) {
    console.error(error)
  }
  tell({ pending: (pending -= 1) })
}

// The project itself is not always where workers may connect to, so they reach it by a socket of their own. What a request
// leads to has the request's ID, unless the function says otherwise: so its logs are found by one ID everywhere.
const fetchAnywhere = globalThis.fetch
const { createHttpClient } = Deno
let client
globalThis.fetch = (input, init) => {
  const target = input instanceof Request ? input.url : String(input)
  if (url === '' || !(target === url || target.startsWith(`${url}/`))) {
    return fetchAnywhere(input, init)
  }
  client ??= createHttpClient({ proxy: { transport: 'unix', path: gateway } })
  const inside = `http://project.invalid/${ref}${target.slice(url.length)}`
  const request = input instanceof Request ? new Request(inside, input) : inside
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
  const id = requestIds.getStore()
  if (id !== undefined && !headers.has('x-request-id')) headers.set('x-request-id', id)
  return fetchAnywhere(request, { ...init, headers, client })
}

// /tmp of a function is a folder of its own.
const own = (path) => {
  const text = path instanceof URL ? path.pathname : path
  if (typeof text !== 'string' || text.startsWith(`${folder}/`)) return path
  return text === '/tmp' || text.startsWith('/tmp/') ? temporary + text.slice(4) : path
}
const byPath =
  'chmod copyFile create lstat mkdir open readDir readFile readTextFile remove rename stat truncate writeFile writeTextFile'
for (const name of byPath.split(' ').flatMap((each) => [each, `${each}Sync`])) {
  const original = Deno[name]
  const paths = /^(?:copyFile|rename)/.test(name) ? 2 : 1
  Deno[name] = (...values) =>
    original(...values.map((value, at) => (at < paths ? own(value) : value)))
}

// A rejection that nobody handles ends neither the worker nor what else it is doing.
addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  console.error(event.reason)
})
addEventListener('error', (event) => {
  event.preventDefault()
  console.error(event.error ?? event.message)
})

/**
 * What the caller has asked for, and not the socket that it came by: routers and redirects go by it. The request itself stays,
 * since only it can be upgraded to a WebSocket.
 * @param {Request} request
 */
function asAsked(request) {
  const path = request.url.slice(request.url.indexOf('/', request.url.indexOf('://') + 3))
  const { headers } = request
  // Functions of the same project ask without saying where.
  const named = headers.get('host') ?? ''
  const host = named === 'localhost' && url !== '' ? new URL(url).host : named
  const asked = `${headers.get('x-forwarded-proto') ?? 'http'}://${host}${path}`
  const clone = request.clone.bind(request)
  return Object.defineProperties(request, {
    url: { value: asked },
    clone: { value: () => Object.defineProperty(clone(), 'url', { value: asked }) },
  })
}

const fault = (name) => new Response(null, { status: 500, headers: { 'x-plinth-fault': name } })
const answer = (request, info) =>
  requestIds.run(request.headers.get('x-request-id') ?? undefined, () => answered(request, info))
async function answered(request, info) {
  try {
    const response = await handler(asAsked(request), info)
    if (response instanceof Response) return response
    console.error(new TypeError('The handler did not return a Response'))
  } catch (error) {
    console.error(error)
  }
  return fault('WORKER_ERROR')
}

/** The one who started us says `end`, or goes away. */
async function listen() {
  if (behind === '') for await (const _ of Deno.stdin.readable) break
  dispatchEvent(new Event('beforeunload'))
  await Promise.allSettled(waited)
  exit(0)
}

try {
  const module = await import(entry)
  if (!handler && typeof module.default?.fetch === 'function') {
    take((...call) => module.default.fetch(...call))
  }
} catch (error) {
  tell({ failed: inspect(error) })
  exit(1)
}
void listen()
await handed
serve({ path: socket, onListen: () => tell({ ready: true }) }, answer)
