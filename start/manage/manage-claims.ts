import { z } from 'zod'
import { claims } from '#contract/operations/claims'
import { refIn, UsageError, type Context, type Result, type Command } from './manage-command.ts'

const Organization = z.looseObject({ slug: z.string(), name: z.string() })

/** The organization that is meant where none is named: the only one that the local administrator has. */
async function ownOrganization({ ask }: Context): Promise<string> {
  const [first, ...more] = await ask('GET /v1/organizations', z.array(Organization))
  if (first && more.length === 0) return first.slug
  const slugs = [first, ...more].flatMap((one) => (one ? [one.slug] : [])).join(', ')
  throw new UsageError(
    slugs === ''
      ? 'nothing has been created on the command line yet'
      : `choose the organization with --org SLUG: ${slugs}`,
  )
}

async function claim([email]: string[], context: Context): Promise<Result> {
  const { ask, flags, isLocal } = context
  if (email === undefined || !z.email().safeParse(email).success) {
    throw new UsageError('give the email address of a person who has signed up')
  }
  if (!isLocal) {
    throw new UsageError(
      'only the local administrator can use claim: remove --url, --token and --as',
    )
  }
  const slug = flags.org ?? (await ownOrganization(context))
  const path = `/internal/organizations/${encodeURIComponent(slug)}/claim`
  const data = await ask(`POST ${path}`, claims.claim.returns, { email })
  return { data, lines: [`${data.email} now owns ${data.name} (${data.slug}) and its projects`] }
}

async function open(rest: string[], { ask, url, browse }: Context): Promise<Result> {
  const base = url ?? (await ask('GET /internal/address', claims.address.returns)).url
  const ref = rest.length === 0 ? undefined : refIn(rest)
  if (ref !== undefined) await ask(`GET /v1/projects/${ref}`, z.looseObject({}))
  const address = new URL(ref === undefined ? '/' : `/project/${ref}`, base).href
  browse(address)
  return { data: { url: address }, lines: [address] }
}

/** From the command line to the browser. */
export const claimCommands: Readonly<Record<string, Command>> = {
  claim: {
    takes: 'EMAIL [--org SLUG]',
    does: 'Makes a person who has signed up an owner of the organization created on the command line',
    max: 1,
    run: claim,
  },
  open: {
    takes: '[REF]',
    does: 'Opens the dashboard, or a project in it, in your browser, and prints the address',
    max: 1,
    run: open,
  },
}
