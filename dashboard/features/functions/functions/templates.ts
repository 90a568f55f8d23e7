/** A function to begin with. */
export type FunctionTemplate = { id: string; name: string; about: string; code: string }

const cors = `const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, x-client-info, apikey, content-type',
}
`
const client = `import { createClient } from 'npm:@supabase/supabase-js@2'
`

/** Templates of our own (facts §10). Those that ask nobody outside run without a network. */
export const functionTemplates: readonly FunctionTemplate[] = [
  {
    id: 'hello-world',
    name: 'Hello world',
    about: 'Reads JSON and answers with JSON.',
    code: `${cors}
Deno.serve(async (request) => {
  if (request.method === 'OPTIONS') return new Response(null, { headers: corsHeaders })
  const { name = 'world' } = await request.json().catch(() => ({}))
  return Response.json({ message: \`Hello \${name}!\` }, { headers: corsHeaders })
})
`,
  },
  {
    id: 'database-access',
    name: 'Database access',
    about: 'Reads a table as the calling user, under row level security.',
    code: `${client}
Deno.serve(async (request) => {
  const table = new URL(request.url).searchParams.get('table') ?? 'todos'
  const project = createClient(
    Deno.env.get('SUPABASE_URL') ?? '',
    Deno.env.get('SUPABASE_ANON_KEY') ?? '',
    { global: { headers: { Authorization: request.headers.get('Authorization') ?? '' } } },
  )
  const { data, error } = await project.from(table).select('*').limit(10)
  if (error) return Response.json({ error: error.message }, { status: 400 })
  return Response.json({ data })
})
`,
  },
  {
    id: 'storage-upload',
    name: 'Storage upload',
    about: 'Takes a file from a form and uploads it to a bucket.',
    code: `${client}
const bucket = 'uploads'

Deno.serve(async (request) => {
  if (request.method !== 'POST') return new Response('Send a form', { status: 405 })
  const file = (await request.formData()).get('file')
  if (!(file instanceof File)) return Response.json({ error: 'file is missing' }, { status: 400 })
  const project = createClient(
    Deno.env.get('SUPABASE_URL') ?? '',
    Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '',
  )
  const path = \`\${crypto.randomUUID()}/\${file.name}\`
  const { data, error } = await project.storage.from(bucket).upload(path, file)
  if (error) return Response.json({ error: error.message }, { status: 400 })
  return Response.json({ path: data.path })
})
`,
  },
  {
    id: 'node-api',
    name: 'Node API',
    about: 'Uses Node modules and the Node server.',
    code: `import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

createServer((request, response) => {
  const digest = createHash('sha256').update(request.url ?? '').digest('hex')
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ digest }))
}).listen(8000)
`,
  },
  {
    id: 'express',
    name: 'Express',
    about: 'Several routes with Express, which is downloaded at the first start.',
    code: `import express from 'npm:express@5'

const app = express()
app.use(express.json())

// Every path begins with the name of the function.
app.get('/:name', (_request, response) => response.send('Hello from Express'))
app.post('/:name/items', (request, response) => response.status(201).json(request.body))

app.listen(8000)
`,
  },
  {
    id: 'openai-completion',
    name: 'OpenAI completion',
    about: 'Asks a model and streams its answer. Needs the secret OPENAI_API_KEY.',
    code: `Deno.serve(async (request) => {
  const key = Deno.env.get('OPENAI_API_KEY')
  if (!key) return Response.json({ error: 'Set the secret OPENAI_API_KEY' }, { status: 500 })
  const { query } = await request.json().catch(() => ({}))
  if (!query) return Response.json({ error: 'query is missing' }, { status: 400 })
  const answer = await fetch('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-5-mini',
      stream: true,
      messages: [{ role: 'user', content: query }],
    }),
  })
  return new Response(answer.body, {
    status: answer.status,
    headers: { 'Content-Type': 'text/event-stream' },
  })
})
`,
  },
  {
    id: 'stripe-webhook',
    name: 'Stripe webhook',
    about:
      'Accepts events that Stripe has signed. Needs the secret STRIPE_WEBHOOK_SECRET; turn off Verify JWT.',
    code: `const encoder = new TextEncoder()
const oldestSeconds = 300

async function isSigned(header: string, body: string, secret: string): Promise<boolean> {
  const parts = header.split(',').map((part) => part.split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (Math.abs(Date.now() / 1000 - Number(time)) > oldestSeconds) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
  const signed = encoder.encode(\`\${time}.\${body}\`)
  for (const [name, hex = ''] of parts) {
    if (name !== 'v1' || !/^[0-9a-f]{64}$/.test(hex)) continue
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
    if (await crypto.subtle.verify('HMAC', key, bytes, signed)) return true
  }
  return false
}

Deno.serve(async (request) => {
  const secret = Deno.env.get('STRIPE_WEBHOOK_SECRET')
  if (!secret) return new Response('Set the secret STRIPE_WEBHOOK_SECRET', { status: 500 })
  const body = await request.text()
  if (!(await isSigned(request.headers.get('Stripe-Signature') ?? '', body, secret))) {
    return new Response('The signature is wrong', { status: 400 })
  }
  const event = JSON.parse(body)
  console.log('event', event.type)
  return Response.json({ received: true })
})
`,
  },
  {
    id: 'resend-email',
    name: 'Resend email',
    about: 'Sends an email. Needs the secret RESEND_API_KEY.',
    code: `Deno.serve(async (request) => {
  const key = Deno.env.get('RESEND_API_KEY')
  if (!key) return Response.json({ error: 'Set the secret RESEND_API_KEY' }, { status: 500 })
  const { to, subject, html } = await request.json().catch(() => ({}))
  if (!to || !subject || !html) {
    return Response.json({ error: 'to, subject and html are needed' }, { status: 400 })
  }
  const answer = await fetch('https://api.resend.com/emails', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from: 'Acme <onboarding@resend.dev>', to, subject, html }),
  })
  return Response.json(await answer.json(), { status: answer.status })
})
`,
  },
  {
    id: 'image-transform',
    name: 'Image transformation',
    about: 'Resizes an image with ImageMagick, which is downloaded at the first start.',
    code: `import { readFile } from 'node:fs/promises'
import { ImageMagick, initializeImageMagick, MagickFormat } from 'npm:@imagemagick/magick-wasm@0.0.35'

const program = import.meta.resolve('npm:@imagemagick/magick-wasm@0.0.35/magick.wasm')
await initializeImageMagick(await readFile(new URL(program)))

Deno.serve(async (request) => {
  const file = (await request.formData()).get('file')
  if (!(file instanceof File)) return Response.json({ error: 'file is missing' }, { status: 400 })
  const bytes = new Uint8Array(await file.arrayBuffer())
  const small = ImageMagick.read(bytes, (image) => {
    image.resize(320, 320)
    return image.write(MagickFormat.Png, (data) => data.slice())
  })
  return new Response(small, { headers: { 'Content-Type': 'image/png' } })
})
`,
  },
  {
    id: 'websocket-server',
    name: 'WebSocket server',
    about: 'Answers messages over a WebSocket. Browsers send no JWT there: turn off Verify JWT.',
    code: `Deno.serve((request) => {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return new Response('Connect with a WebSocket', { status: 426 })
  }
  const { socket, response } = Deno.upgradeWebSocket(request)
  socket.onopen = () => console.log('opened')
  socket.onmessage = ({ data }) => socket.send(\`You said: \${data}\`)
  socket.onclose = () => console.log('closed')
  return response
})
`,
  },
]
