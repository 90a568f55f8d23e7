/** Every way in which a write runs code that is not the server's: `touched` and its siblings of plain.ts. */

type TouchingWrite = {
  what: string
  /** Makes the table `NAME`, whose name is in the request as well. */
  setup: string
  request: string
  body?: unknown
  prefer?: string
  accept?: string
  /** What of the table is plain all the same; undefined where it is the request that is not. */
  plain?: string
}
const insert = { request: 'POST /NAME', body: { id: 1 } }
const trigger = (when: string, table = 'NAME') =>
  `create trigger t ${when} on ${table} for each row execute function touch();`
const twoRows = 'insert into NAME values (1), (2);'

export const touchingWrites: TouchingWrite[] = [
  {
    what: 'a trigger of the table',
    setup: `create table NAME (id int); ${trigger('before insert')}`,
    ...insert,
    plain: 'update delete',
  },
  {
    what: 'a trigger of statements',
    setup:
      'create table NAME (id int); create trigger t after insert on NAME execute function touch();',
    ...insert,
    plain: 'update delete',
  },
  {
    what: 'a trigger that is put off to the end',
    setup: `create table NAME (id int); create constraint trigger t after insert on NAME
      deferrable initially deferred for each row execute function touch();`,
    ...insert,
    plain: 'update delete',
  },
  {
    what: 'a trigger of updates, when an upsert updates',
    setup: `create table NAME (id int primary key, n int); insert into NAME values (1); ${trigger('before update')}`,
    request: 'POST /NAME',
    body: { id: 1, n: 2 },
    prefer: 'resolution=merge-duplicates',
    plain: 'insert delete',
  },
  {
    what: 'a trigger of updates, when a PUT updates',
    setup: `create table NAME (id int primary key, n int); insert into NAME values (1); ${trigger('after update')}`,
    request: 'PUT /NAME?id=eq.1',
    body: { id: 1, n: 2 },
    plain: 'insert delete',
  },
  {
    what: 'a trigger of deletes',
    setup: `create table NAME (id int); insert into NAME values (1); ${trigger('after delete')}`,
    request: 'DELETE /NAME?id=eq.1',
    plain: 'insert update',
  },
  {
    what: 'a rule',
    setup: `create table NAME (id int); create table NAME_else (id int);
      create rule r as on insert to NAME do instead insert into NAME_else values (touched(new.id)) returning *;`,
    ...insert,
    plain: '',
  },
  {
    what: 'a default with a function',
    setup: 'create table NAME (id int, n int default touched(1));',
    ...insert,
    plain: '',
  },
  {
    what: 'a default that takes a lock',
    setup: "create table NAME (id int, n bool default pg_try_advisory_lock(nextval('touches')));",
    ...insert,
    plain: '',
  },
  {
    what: 'a default that runs a query',
    setup:
      "create table NAME (id int, x xml default query_to_xml('select touched(1)', false, false, ''));",
    ...insert,
    plain: '',
  },
  {
    what: 'a default that reads a view by its name',
    setup: `create view NAME_view as select touched(1); grant select on NAME_view to anon;
      create table NAME (id int, x xml default table_to_xml(('NAME' || '_view')::regclass, false, false, ''));`,
    ...insert,
    plain: '',
  },
  {
    what: 'a default that reads a value of a type by its name',
    setup: `create domain NAME_domain as int check (pure(value) > 0);
      create table NAME (id int, ok bool default pg_input_is_valid('1', 'NAME_domain'));`,
    ...insert,
    plain: '',
  },
  {
    what: 'a default that reads an array of a type by its name',
    setup: `create domain NAME_domain as int check (pure(value) > 0);
      create table NAME (id int, list text default array_in('{1}', ('NAME' || '_domain')::regtype, -1)::text);`,
    ...insert,
    plain: '',
  },
  {
    what: 'a check',
    setup: 'create table NAME (id int check (touched(id) > 0));',
    ...insert,
    plain: '',
  },
  {
    what: 'a domain',
    setup:
      'create domain NAME_domain as int check (pure(value) > 0); create table NAME (id NAME_domain);',
    ...insert,
    plain: '',
  },
  {
    what: 'a domain in an array',
    setup:
      'create domain NAME_domain as int check (pure(value) > 0); create table NAME (id NAME_domain[]);',
    request: 'POST /NAME',
    body: { id: [1] },
    plain: '',
  },
  {
    what: 'a domain in a composite type',
    setup: `create domain NAME_domain as int check (pure(value) > 0); create type NAME_pair as (a NAME_domain);
      create table NAME (id NAME_pair);`,
    request: 'POST /NAME',
    body: { id: { a: 1 } },
    plain: '',
  },
  {
    what: 'a domain in a default',
    setup: `create domain NAME_domain as int check (pure(value) > 0);
      create table NAME (id int, n int default ('1'::text)::NAME_domain);`,
    ...insert,
    plain: '',
  },
  {
    what: 'a generated column',
    setup: 'create table NAME (id int, n int generated always as (pure(id)) stored);',
    ...insert,
    plain: '',
  },
  {
    what: 'an index of an expression',
    setup: 'create table NAME (id int); create index on NAME (pure(id));',
    ...insert,
    plain: '',
  },
  {
    what: 'an index of some rows',
    setup: 'create table NAME (id int); create index on NAME (id) where pure(id) > 0;',
    ...insert,
    plain: '',
  },
  {
    what: 'a policy that checks by a function',
    setup: `create table NAME (id int); alter table NAME enable row level security;
      create policy p on NAME for insert with check (touched(id) > 0);`,
    ...insert,
    plain: '',
  },
  {
    what: 'a policy that finds by a function',
    setup: `create table NAME (id int); ${twoRows} alter table NAME enable row level security;
      create policy p on NAME using (touched(id) > 0);`,
    request: 'DELETE /NAME?id=eq.1',
    plain: '',
  },
  {
    what: 'a policy that looks at another table, which has policies of its own',
    setup: `create table NAME_other (id int); ${twoRows.replaceAll('NAME', 'NAME_other')}
      alter table NAME_other enable row level security; create policy p on NAME_other using (touched(id) > 0);
      create table NAME (id int); alter table NAME enable row level security;
      create policy p on NAME for insert with check (id in (select o.id from NAME_other o));`,
    ...insert,
    plain: '',
  },
  {
    what: 'a key that takes rows of another table with it',
    setup: `create table NAME (id int primary key); ${twoRows}
      create table NAME_child (id int references NAME on delete cascade); insert into NAME_child values (1);
      ${trigger('after delete', 'NAME_child')}`,
    request: 'DELETE /NAME?id=eq.1',
    plain: 'insert update',
  },
  {
    what: 'a key that empties columns of another table',
    setup: `create table NAME (id int primary key); ${twoRows}
      create table NAME_child (id int references NAME on delete set null); insert into NAME_child values (1);
      ${trigger('before update', 'NAME_child')}`,
    request: 'DELETE /NAME?id=eq.1',
    plain: 'insert update',
  },
  {
    what: 'a key whose new value another table takes on',
    setup: `create table NAME (id int primary key); ${twoRows}
      create table NAME_child (id int references NAME on update cascade); insert into NAME_child values (1);
      ${trigger('before update', 'NAME_child')}`,
    request: 'PATCH /NAME?id=eq.1',
    body: { id: 5 },
    plain: 'insert delete',
  },
  {
    what: 'a partition',
    setup: `create table NAME (id int) partition by list (id); create table NAME_part partition of NAME default;
      ${trigger('before insert', 'NAME_part')}`,
    ...insert,
    plain: '',
  },
  {
    what: 'a table that inherits',
    setup: `create table NAME (id int); create table NAME_child () inherits (NAME);
      ${twoRows.replace('NAME', 'NAME_child')} ${trigger('before update', 'NAME_child')}`,
    request: 'PATCH /NAME?id=eq.1',
    body: { id: 5 },
    plain: '',
  },
  {
    what: 'a view',
    setup: `create table NAME_table (id int); create view NAME as select * from NAME_table;
      ${trigger('after insert', 'NAME_table')}`,
    ...insert,
    plain: '',
  },
  {
    what: 'a computed column that is shown',
    setup: `create table NAME (id int);
      create function twice(NAME) returns int language sql volatile as 'select touched($1.id)';`,
    request: 'POST /NAME?select=id,twice',
    body: { id: 1 },
    prefer: 'return=representation',
  },
  {
    what: 'a computed column that is asked for',
    setup: `create table NAME (id int); ${twoRows}
      create function ask_NAME(NAME) returns int language sql volatile as 'select touched($1.id)';`,
    request: 'DELETE /NAME?or=(ask_NAME.eq.1,id.eq.7)',
  },
  {
    what: 'a computed column that gives the order',
    setup: `create table NAME (id int); ${twoRows}
      create function order_NAME(NAME) returns int language sql volatile as 'select touched($1.id)';`,
    request: 'PATCH /NAME?id=gt.0&order=order_NAME',
    body: { id: 3 },
    prefer: 'return=representation',
  },
  {
    what: 'what is embedded',
    setup: `create table NAME (id int primary key);
      create view NAME_child as select touched(1) as id, 1 as parent;
      create function more_NAME(NAME) returns setof NAME_child language sql as 'select * from NAME_child';`,
    request: 'POST /NAME?select=id,more_NAME(*)',
    body: { id: 1 },
    prefer: 'return=representation',
  },
  {
    what: 'a cast to a domain',
    setup: 'create domain NAME_domain as int check (pure(value) > 0); create table NAME (id int);',
    request: 'POST /NAME?select=id::NAME_domain',
    body: { id: 1 },
    prefer: 'return=representation',
  },
  {
    what: 'a handler that makes the body',
    setup: `create domain "text/touched" as text; create table NAME (id int);
      create function NAME_step(state text, next NAME) returns text language sql volatile
        as 'select touched(next.id)::text';
      create function NAME_end(state text) returns "text/touched" language sql as 'select state';
      create aggregate NAME_all(NAME) (stype = text, sfunc = NAME_step, finalfunc = NAME_end, initcond = '');`,
    request: 'POST /NAME',
    body: { id: 1 },
    prefer: 'return=representation',
    accept: 'text/touched',
  },
]
