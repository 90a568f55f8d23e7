import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import Stripe from 'stripe'

type Thing = Record<string, unknown> & { id: string }

/** A server on this machine that speaks the part of Stripe's protocol that we use, idempotency keys included. */
export async function startStripeServer() {
  const things = new Map<string, Thing>()
  const answers = new Map<string, Thing>()
  const cardsRefused = { now: false }
  const make = (prefix: string, values: Record<string, unknown>): Thing => {
    const thing = { id: `${prefix}_${randomUUID().replaceAll('-', '')}`, ...values }
    things.set(thing.id, thing)
    return thing
  }
  const missing = () => ({
    status: 404,
    body: {
      error: { type: 'invalid_request_error', message: 'No such thing', code: 'resource_missing' },
    },
  })
  const found = (id: string | undefined) => {
    const thing = things.get(id ?? '')
    return thing ? { status: 200, body: thing } : missing()
  }

  function answer(
    method: string,
    path: string,
    form: URLSearchParams,
  ): { status: number; body: object } {
    const [, , family, id, part] = path.split('/')
    const of = (name: string) => form.get(name)
    switch (`${method} ${family}${id === undefined ? '' : '/:id'}${part ? `/${part}` : ''}`) {
      case 'POST customers':
        return {
          status: 200,
          body: make('cus', {
            object: 'customer',
            name: of('name'),
            invoice_settings: { default_payment_method: null },
          }),
        }
      case 'GET customers/:id':
        return found(id)
      case 'POST customers/:id': {
        const customer = found(id)
        const card = of('invoice_settings[default_payment_method]')
        if (card)
          Object.assign(customer.body, { invoice_settings: { default_payment_method: card } })
        return customer
      }
      case 'GET customers/:id/payment_methods': {
        const data = [...things.values()].filter(
          ({ object, customer }) => object === 'payment_method' && customer === id,
        )
        return { status: 200, body: { object: 'list', data, has_more: false } }
      }
      case 'GET payment_methods/:id':
        return found(id)
      case 'POST payment_methods/:id/detach': {
        const card = found(id)
        Object.assign(card.body, { customer: null })
        return card
      }
      case 'POST setup_intents':
        return {
          status: 200,
          body: make('seti', { object: 'setup_intent', client_secret: 'seti_secret' }),
        }
      case 'POST checkout/:id':
        return {
          status: 200,
          body: make('cs', {
            object: 'checkout.session',
            mode: of('mode'),
            url: 'https://checkout.example/1',
            client_secret: null,
          }),
        }
      case 'POST payment_intents': {
        if (cardsRefused.now) {
          return {
            status: 402,
            body: { error: { type: 'card_error', code: 'card_declined', message: 'Declined' } },
          }
        }
        const amount = Number(of('amount'))
        const metadata = { invoice_id: of('metadata[invoice_id]') }
        return {
          status: 200,
          body: make('pi', {
            object: 'payment_intent',
            status: 'succeeded',
            amount,
            amount_received: amount,
            metadata,
          }),
        }
      }
      default:
        return missing()
    }
  }

  const server = createServer((request, response) => {
    void read(request).then((form) => {
      const key = String(request.headers['idempotency-key'] ?? '')
      const known = key ? answers.get(key) : undefined
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      const { status, body } = known
        ? { status: 200, body: known }
        : answer(request.method ?? '', pathname, form)
      // Made by `make` above.
      if (key && status === 200) answers.set(key, body as Thing)
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    cardsRefused,
    /** Every thing of one kind that was made. */
    made: (object: string) => [...things.values()].filter((thing) => thing['object'] === object),
    /** What the card form does: the customer has a card. */
    addCard: (customer: string): string =>
      make('pm', {
        object: 'payment_method',
        customer,
        created: 1_770_000_000,
        card: { brand: 'visa', exp_month: 4, exp_year: 2031, last4: '4242' },
      }).id,
    close: () => new Promise((done) => server.close(done)),
  }
}
export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** An event as Stripe would send it: its body and the signature over it. */
export function signedEvent(secret: string, event: { id: string; type: string; object: object }) {
  const { object, ...rest } = event
  const body = JSON.stringify({
    ...rest,
    object: 'event',
    created: 1,
    livemode: false,
    data: { object },
  })
  const stripe = new Stripe('sk_test_x')
  const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret })
  return { body, signature }
}
