import { byName, plainType, type ColumnFact, type Facts, type RelationFact } from './facts.ts'
import { distinct, pascalCase } from './names.ts'

const head = `from __future__ import annotations

import datetime
import uuid
from typing import (
    Annotated,
    Any,
    List,
    Literal,
    NotRequired,
    Optional,
    TypeAlias,
    TypedDict,
)

from pydantic import BaseModel, Field, Json`

const plain: Record<string, string> = {
  bool: 'bool',
  int2: 'int',
  int4: 'int',
  int8: 'int',
  float4: 'float',
  float8: 'float',
  numeric: 'float',
  uuid: 'uuid.UUID',
  date: 'datetime.date',
  time: 'datetime.time',
  timetz: 'datetime.time',
  timestamp: 'datetime.datetime',
  timestamptz: 'datetime.datetime',
  json: 'Json[Any]',
  jsonb: 'Json[Any]',
  void: 'None',
  record: 'dict[str, Any]',
  ...Object.fromEntries(
    (
      'bytea bpchar varchar char text citext name vector interval int4range int4multirange int8range int8multirange ' +
      'numrange nummultirange tsrange tsmultirange tstzrange tstzmultirange daterange datemultirange'
    )
      .split(' ')
      .map((name) => [name, 'str']),
  ),
}

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

const called = ({ schema, name }: { schema: string; name: string }) =>
  pascalCase(schema) + pascalCase(name, true)

function pythonType(facts: Facts, id: number): string {
  const type = plainType(facts, id)
  if (!type) return 'Any'
  if (type.element !== null) return `List[${pythonType(facts, type.element)}]`
  const known = facts.schemas.includes(type.schema)
  if (type.kind === 'e') return known ? called(type) : 'str'
  if (type.relation !== null && known) return called(type)
  return plain[type.name] ?? 'Any'
}

/** A name that Python takes: what is none goes by its alias. */
function fieldName(name: string): string {
  const plainName = name.replaceAll(/[^\p{L}\p{N}_]/gu, '_')
  const safe = /^[\p{L}_]/u.test(plainName) ? plainName : `field_${plainName}`
  return keywords.has(safe) || safe.startsWith('_') ? `field_${safe.replace(/^_+/, '')}` : safe
}

type FieldOf = { name: string; type: string; nullable: boolean; needed: boolean }

const typed = ({ type, nullable }: FieldOf) => (nullable ? `Optional[${type}]` : type)
const alias = (name: string) => `Field(alias=${JSON.stringify(name)})`

function model(name: string, fields: readonly FieldOf[]): string {
  const names = distinct(fields.map((field) => fieldName(field.name)))
  const lines = fields.map(
    (field, index) => `    ${names[index]}: ${typed(field)} = ${alias(field.name)}`,
  )
  return [`class ${name}(BaseModel):`, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')
}

function dict(name: string, fields: readonly FieldOf[]): string {
  const names = distinct(fields.map((field) => fieldName(field.name)))
  const lines = fields.map((field, index) => {
    const type = `Annotated[${typed(field)}, ${alias(field.name)}]`
    return `    ${names[index]}: ${field.needed ? type : `NotRequired[${type}]`}`
  })
  return [`class ${name}(TypedDict):`, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')
}

/** Pydantic models for what is read, typed dictionaries for what is inserted and updated. */
export function python(facts: Facts): string {
  const own = [...facts.types.values()].filter(({ schema }) => facts.schemas.includes(schema))
  const enums = own
    .filter(({ kind }) => kind === 'e')
    .map((type) => {
      const values = type.enums.map((value) => JSON.stringify(value)).join(', ')
      return `${called(type)}: TypeAlias = Literal[${values}]`
    })
  const fieldsOf = (relation: RelationFact, needed: (column: ColumnFact) => boolean): FieldOf[] =>
    relation.columns.toSorted(byName).map((column) => ({
      name: column.name,
      type: pythonType(facts, column.type),
      nullable: column.is_nullable,
      needed: needed(column),
    }))
  const always = () => true
  const never = () => false
  const mustBeGiven = (one: ColumnFact) =>
    !one.is_nullable && !one.has_default && !one.is_identity && !one.is_always
  const of = (kind: RelationFact['kind']) => facts.relations.filter((one) => one.kind === kind)
  const tables = [...of('table'), ...of('foreign_table')].flatMap((table) => [
    model(called(table), fieldsOf(table, always)),
    dict(`${called(table)}Insert`, fieldsOf(table, mustBeGiven)),
    dict(`${called(table)}Update`, fieldsOf(table, never)),
  ])
  const views = [...of('view'), ...of('materialized_view')].map((view) =>
    model(called(view), fieldsOf(view, always)),
  )
  const composites = own
    .filter((type) => type.relation_kind === 'c')
    .map((type) =>
      model(
        called(type),
        type.attributes.map(({ name, type: id }) => ({
          name,
          type: pythonType(facts, id),
          nullable: false,
          needed: true,
        })),
      ),
    )
  return [head, ...enums, ...tables, ...views, ...composites].join('\n\n')
}
