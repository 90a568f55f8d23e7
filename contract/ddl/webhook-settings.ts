import type { HookSettings } from '../integrations/webhook-calls.ts'
import { changeName, type Change } from './change.ts'
import { qualified, quoteLiteral } from './sql-text.ts'

/** A webhook by the names that a migration knows it by. */
type Of = { schema: string; table: string; name: string }

/** How calls are made. Pausing is a switch of the moment, and a signing secret is of one project: neither is recorded. */
export type DeliverySettings = Omit<HookSettings, 'paused'>

const text = (value: string) => quoteLiteral(value).trim()

const orderOf = (columns: readonly string[] | null): string =>
  columns === null
    ? 'null'
    : columns.length === 0
      ? `'{}'`
      : `array[${columns.map(text).join(', ')}]::name[]`

function put({ schema, table, name }: Of, settings: DeliverySettings): string {
  const { max_attempts, first_wait, concurrency, order_by } = settings
  const names = ['max_attempts', 'first_wait', 'concurrency', 'order_by']
  return [
    `insert into supabase_functions.hook_settings (hook_table, hook_name, ${names.join(', ')})`,
    `values (${text(qualified(schema, table))}::regclass, ${text(name)}, ${max_attempts}, ${first_wait}, ${concurrency}, ${orderOf(order_by)})`,
    'on conflict (hook_table, hook_name) do update set',
    `  ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  ].join('\n')
}

/** How calls of a webhook are made from now on; undone it is as `before`. */
export const changeDelivery = (
  of: Of,
  settings: DeliverySettings,
  before: DeliverySettings,
): Change => ({
  name: changeName('change delivery', of.name),
  statements: [put(of, settings)],
  inverse: [put(of, before)],
})
