import { expect, test } from 'vitest'
import { usualHookSettings } from '../integrations/webhook-calls.ts'
import { changeDelivery } from './webhook-settings.ts'

const of = { schema: 'public', table: 'orders', name: 'tell' }

test('settings of a delivery are one statement, and what was before is what undoes it', () => {
  const wanted = { ...usualHookSettings, max_attempts: 5, order_by: ['id', 'a b'] }
  const { name, statements, inverse } = changeDelivery(of, wanted, usualHookSettings)
  expect(name).toBe('change_delivery_tell')
  expect(statements).toEqual([
    `insert into supabase_functions.hook_settings (hook_table, hook_name, max_attempts, first_wait, concurrency, order_by)
values ('public.orders'::regclass, 'tell', 5, 5, 32, array['id', 'a b']::name[])
on conflict (hook_table, hook_name) do update set
  max_attempts = excluded.max_attempts, first_wait = excluded.first_wait, concurrency = excluded.concurrency, order_by = excluded.order_by`,
  ])
  expect(inverse?.[0]).toContain(`'tell', 1, 5, 32, null)`)
})

test('names are data, whatever they hold', () => {
  const hostile = {
    schema: `s'; drop schema public; --`,
    table: 'T\\"',
    name: `x'; drop table y; --`,
  }
  const settings = { ...usualHookSettings, order_by: [`'); drop table z; --`] }
  const sql = changeDelivery(hostile, settings, { ...settings, order_by: [] }).statements.join()
  expect(sql).toContain(`E'"s''; drop schema public; --"."T\\\\"""'::regclass`)
  expect(sql).toContain(`'x''; drop table y; --'`)
  expect(sql).toContain(`array['''); drop table z; --']::name[]`)
})
