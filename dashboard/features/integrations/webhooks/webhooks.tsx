import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Pause, Play, SlidersHorizontal, Webhook } from 'lucide-react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { migrations } from '#contract/database/migrations'
import { pgMeta } from '#contract/database/pg-meta'
import { webhookCalls, type Hook } from '#contract/integrations/webhook-calls'
import { webhookFunction, webhooks as endpoints } from '#contract/integrations/webhooks'
import { dropTrigger } from '#contract/ddl/triggers'
import { DeleteTitle } from '../../../modules/objects/list/DropObject.tsx'
import { triggersQuery } from '../../../modules/objects/lists.ts'
import {
  changeColumn,
  codeColumn,
  nameColumn,
} from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import { modeNames } from '../../../modules/objects/TriggerTarget.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { callDatabase } from '../../../session/project/database.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forget, messageOf, useCall } from '../../../api/client.ts'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { DeliveriesPanel } from './DeliveriesPanel.tsx'
import { countedWords, failureRate, outcomeOf } from './delivery-words.ts'
import { ofCalls, hooksQuery } from './queries.ts'
import { SettingsPanel } from './SettingsPanel.tsx'
import { functionAt, toldBy } from './webhook-draft.ts'
import { ofWebhooks, WebhookForm } from './WebhookForm.tsx'
import './webhooks.css'

type More = {
  /** The project's address, below which its functions are. */
  endpoint: string
  /** How each does, as far as it is known yet. */
  hookOf: (webhook: DatabaseTrigger) => Hook | undefined
  /** The database has what an earlier version made. */
  outdated: boolean
}

/** Webhooks are the triggers that call one function; the address names the one whose calls are looked at. */
export const webhooks: Resource<DatabaseTrigger, More> = {
  title: 'Webhooks',
  help: 'Call a URL or an edge function when rows of a table change.',
  icon: Webhook,
  within: 'schema',
  find: { label: 'Find a webhook', name: 'find' },
  query: triggersQuery,
  rowsOf: (data) => data.filter(isWebhook),
  useMore: useHooks,
  keyOf: ({ id }) => String(id),
  narrow: byText((one) => `${one.name} ${one.table} ${eventsOf(one)} ${urlOf(one)}`),
  columns: webhookColumns,
  empty: emptyList({
    one: 'webhook',
    searched: 'its name, table, events or address',
    none: (schema) => `No webhook is called when rows of the schema ${schema} change.`,
  }),
  needs: migrations.change,
  forgets: ofWebhooks,
  create: { label: 'Create webhook', panel: (place) => webhookForm(place) },
  above: ({ projectRef, more }) => more.outdated && <OutdatedNote projectRef={projectRef} />,
  below: ({ projectRef, rows, search, onSearch, more }) => {
    const named = (id: string | undefined) => {
      const webhook = rows?.find((row) => String(row.id) === id)
      const hook = webhook && more.hookOf(webhook)
      return hook && { hook, webhook }
    }
    const [watched, set] = [named(search['calls']), named(search['delivery'])]
    const onClose = () => onSearch({ ...search, calls: undefined, delivery: undefined })
    if (watched) return <DeliveriesPanel {...{ projectRef, hook: watched.hook, onClose }} />
    return set && <SettingsPanel {...{ projectRef, ...set, onClose }} />
  },
}

function useHooks(projectRef: string): More {
  const { endpoint } = useSuspenseQuery(projectQuery(projectRef)).data
  const { data } = useQuery(hooksQuery(projectRef))
  const hooks = new Map(data?.hooks.map((hook) => [`${hook.table_id} ${hook.name}`, hook]))
  return {
    endpoint,
    hookOf: ({ table_id, name }) => hooks.get(`${table_id} ${name}`),
    outdated: data?.current === false,
  }
}

async function pause(ref: string, { table_id, name }: Hook, paused: boolean): Promise<void> {
  try {
    await callDatabase(webhookCalls.settings, { ref, table_id, name, paused })
    await forget(...ofCalls)
    toast.success(paused ? `${name} is paused: its calls wait` : `${name} is resumed`)
  } catch (error) {
    toast.error(messageOf(error))
  }
}

const webhookForm = (
  { projectRef, schema, more: { endpoint }, close }: Place<DatabaseTrigger, More>,
  found?: DatabaseTrigger,
) => (
  <WebhookForm
    {...{ projectRef, schema, endpoint }}
    {...(found ? { found } : {})}
    onClose={close}
  />
)

const isWebhook = ({ function_schema, function_name }: DatabaseTrigger) =>
  function_schema === webhookFunction.schema && function_name === webhookFunction.name

/** `INSERT, UPDATE OF title` */
const eventsOf = ({ events, columns }: DatabaseTrigger): string =>
  events
    .map((event) =>
      event === 'UPDATE' && columns.length > 0 ? `UPDATE OF ${columns.join(', ')}` : event,
    )
    .join(', ')

const urlOf = ({ function_args }: DatabaseTrigger) => function_args[0] ?? ''

function webhookColumns(place: Place<DatabaseTrigger, More>): Column<DatabaseTrigger>[] {
  const { projectRef, search, onSearch, denied, why, more, open, ask } = place
  const { endpoint, hookOf } = more
  const edit = (found: DatabaseTrigger) => open((now) => webhookForm(now, found))
  const drop = (trigger: DatabaseTrigger) =>
    ask({
      change: dropTrigger(trigger),
      title: <DeleteTitle name={trigger.name} />,
      verb: 'Delete webhook',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: (
        <p className="help">
          Its address is no longer called when rows of {trigger.table} change. Calls in the queue
          are still made.
        </p>
      ),
    })
  return [
    nameColumn({
      width: '24%',
      lock: denied,
      onOpen: edit,
      badge: (webhook) => (
        <>
          {webhook.enabled_mode !== 'ORIGIN' && <Badge>{modeNames[webhook.enabled_mode]}</Badge>}
          {hookOf(webhook)?.settings.paused && <Badge tone="warning">Paused</Badge>}
        </>
      ),
    }),
    codeColumn('Table', ({ table }) => table),
    {
      id: 'events',
      head: 'Events',
      wideOnly: true,
      sortBy: eventsOf,
      cell: (webhook) => (
        <span className="mono object-sql" title={eventsOf(webhook)}>
          {eventsOf(webhook)}
        </span>
      ),
    },
    {
      id: 'address',
      head: 'Address',
      wideOnly: true,
      sortBy: urlOf,
      cell: (webhook) => <Address {...{ projectRef, endpoint, webhook }} />,
    },
    {
      id: 'last',
      head: 'Last result',
      width: '118px',
      cell: (webhook) => <LastResult hook={hookOf(webhook)} />,
    },
    {
      id: 'failed',
      head: 'Failed',
      wideOnly: true,
      numeric: true,
      width: '84px',
      sortBy: (webhook) => {
        const hook = hookOf(webhook)
        return hook && hook.ended > 0 ? hook.failed / hook.ended : -1
      },
      cell: (webhook) => {
        const hook = hookOf(webhook)
        return hook && <span title="Of the last 100 calls">{failureRate(hook)}</span>
      },
    },
    changeColumn(
      () => denied,
      edit,
      drop,
      (webhook) => {
        const hook = hookOf(webhook)
        const id = String(webhook.id)
        return (
          hook && (
            <>
              <MenuItem icon={History} onSelect={() => onSearch({ ...search, calls: id })}>
                Calls
              </MenuItem>
              <MenuItem
                icon={SlidersHorizontal}
                onSelect={() => onSearch({ ...search, delivery: id })}
              >
                Delivery settings
              </MenuItem>
              <MenuItem
                icon={hook.settings.paused ? Play : Pause}
                disabledReason={why(webhookCalls.settings)}
                onSelect={() => void pause(projectRef, hook, !hook.settings.paused)}
              >
                {hook.settings.paused ? 'Resume' : 'Pause'}
              </MenuItem>
            </>
          )
        )
      },
    ),
  ]
}

type AddressProps = Pick<More, 'endpoint'> & { projectRef: string; webhook: DatabaseTrigger }

function Address({ projectRef, endpoint, webhook }: AddressProps) {
  const { method, url } = toldBy(webhook.function_args)
  const slug = functionAt(url, endpoint)
  return (
    <span className="mono object-sql" title={url}>
      <span className="muted">{method}</span>{' '}
      {slug === undefined ? (
        url
      ) : (
        <Link
          className="link"
          to="/project/$ref/functions/$functionSlug"
          params={{ ref: projectRef, functionSlug: slug }}
        >
          {slug}
        </Link>
      )}
    </span>
  )
}

function LastResult({ hook }: { hook: Hook | undefined }) {
  if (!hook?.last)
    return hook?.waiting ? <Badge tone="info">{countedWords(hook.waiting)} waiting</Badge> : null
  const { tone, word } = outcomeOf(hook.last)
  return (
    <span className="row" title={hook.last.error_msg ?? undefined}>
      <Badge tone={tone}>{word}</Badge>
      {hook.waiting > 0 && <span className="muted">{countedWords(hook.waiting)} waiting</span>}
    </span>
  )
}

/** Those of an earlier version go on; what this version adds comes when somebody says so, as it changes the database. */
function OutdatedNote({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const enable = useCall(endpoints.enable, {
    changes: [...ofCalls, pgMeta.schemas],
    onSuccess: () => {
      toast.success('Webhooks are up to date')
    },
  })
  return (
    <div className="webhook-outdated">
      <Alert variant="warning" title="Webhooks of this database are of an earlier version">
        <div className="stack">
          <p>
            They go on calling. Updating adds the list of calls, retries, signatures and pausing. It
            creates the extension <code>pg_net</code> from the schema <code>net</code>, and keeps
            calls that wait.
          </p>
          {enable.error && <p className="webhook-error">{enable.error.message}</p>}
          <div className="row">
            <Button
              variant="primary"
              busy={enable.isPending}
              disabledReason={why(endpoints.enable)}
              onClick={() => enable.mutate({ ref: projectRef })}
            >
              Update webhooks
            </Button>
          </div>
        </div>
      </Alert>
    </div>
  )
}
