import { lsnOf } from '#kit/postgres/recovery/lsn'
import { setPasswords } from '#kit/postgres/passwords'
import { withAdmin, type Admin } from '../admin-session.ts'

/** The login that replicas come in by. It may stream and owns nothing; no member of the project has its password. */
export const replicator = 'plinth_replicator'

const prefix = 'plinth_replica_'
/** What the server keeps write-ahead log for a replica by, as far as `max_slot_wal_keep_size` allows. */
export const slotOf = (id: string): string => prefix + id

/** Whoever made a role of this name before, it is ours from now on, and nobody else is in it. */
const openLogin = `do $open$
declare given record;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = '${replicator}') then
    create role ${replicator};
  end if;
  for given in select m.member::pg_catalog.regrole as taker, m.grantor::pg_catalog.regrole as giver
    from pg_catalog.pg_auth_members m where m.roleid = '${replicator}'::pg_catalog.regrole
  loop
    execute pg_catalog.format('revoke ${replicator} from %s granted by %s cascade', given.taker, given.giver);
  end loop;
  alter role ${replicator} login noinherit replication nobypassrls nosuperuser nocreaterole nocreatedb connection limit -1;
  alter role ${replicator} reset all;
end $open$`

/** Slots of ours, which those of the customer are not: only the platform makes any that are not logical. */
const ourSlots = `pg_catalog.pg_get_replication_slots() s
  where s.slot_type = 'physical' and pg_catalog.starts_with(s.slot_name, '${prefix}')`

/** Opens the login, and makes the slot of a new replica, which keeps all that is written from now on. */
export const openFor = (admin: Admin, id: string, password: string): Promise<void> =>
  withAdmin(admin, 'replicas', async (client) => {
    await client.query(openLogin)
    await setPasswords(client, new Map([[replicator, password]]))
    // One that a customer has made in its name, of whatever kind, would stand in its way.
    await client.query(dropAnySlot, [slotOf(id)])
    await client.query('select pg_catalog.pg_create_physical_replication_slot($1, true)', [
      slotOf(id),
    ])
  })

/** Whoever still reads it is shut out first. */
const dropFrom = (slots: string) => `select pg_catalog.pg_drop_replication_slot(slot_name) from (
    select s.slot_name, s.active_pid is null or pg_catalog.pg_terminate_backend(s.active_pid, 5000) as free
    from ${slots} and s.slot_name = $1) s where free`
const dropSlot = dropFrom(ourSlots)
const dropAnySlot = dropFrom('pg_catalog.pg_get_replication_slots() s where true')

export const dropSlotOf = (admin: Admin, id: string): Promise<void> =>
  withAdmin(admin, 'replicas', async (client) => {
    await client.query(dropSlot, [slotOf(id)])
  })

/** Up to where a replica has the log on its disk. */
export const receivedBy = (replica: Admin): Promise<bigint> =>
  withAdmin(replica, 'replicas', async (client) => {
    const sql =
      'select greatest(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())::text as lsn'
    const { rows } = await client.query<{ lsn: string | null }>(sql)
    return lsnOf(rows[0]?.lsn ?? '')
  })

/** How far the reader of a slot is. `state` is null while nobody reads, `lag` in bytes, `seconds` as it was last measured. */
export type SlotLook = {
  id: string
  lost: boolean
  state: string | null
  lag: number | null
  seconds: number | null
}

const look = `select pg_catalog.substr(s.slot_name, ${prefix.length + 1}) as id, s.wal_status = 'lost' as lost, w.state,
    pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), w.replay_lsn)::float8 as lag,
    extract(epoch from w.replay_lag)::float8 as seconds
  from (select s.* from ${ourSlots}) s left join pg_catalog.pg_stat_get_wal_senders() w on w.pid = s.active_pid`

/** The slots of all replicas, by their ids; those that are no replica's by then are dropped. */
export const lookAtSlots = (
  admin: Admin,
  isKnown: (id: string) => boolean,
): Promise<Map<string, SlotLook>> =>
  withAdmin(admin, 'replicas', async (client) => {
    const { rows } = await client.query<SlotLook>(look)
    for (const { id } of rows.filter((row) => !isKnown(row.id)))
      await client.query(dropSlot, [slotOf(id)])
    return new Map(rows.map((row) => [row.id, row]))
  })
