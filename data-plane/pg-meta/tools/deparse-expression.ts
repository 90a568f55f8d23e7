import { ident, quoteLiteral } from '#contract/ddl/sql-text'
import {
  fieldsOf,
  kindOf,
  list,
  nameOf,
  number,
  text,
  UnknownNode,
  type Fields,
  writtenSql,
} from './deparse-nodes.ts'

const joined = (values: readonly unknown[]) => values.map(expressionSql).join(', ')
const literal = (value: string) => quoteLiteral(value).trim()

/** These stand for themselves; everything else goes between parentheses when it is part of something. */
const whole = new Set([
  'ColumnRef',
  'ParamRef',
  'FuncCall',
  'CoalesceExpr',
  'MinMaxExpr',
  'SQLValueFunction',
])

/** An expression that is a part of another one. */
export function operand(value: unknown): string {
  const [kind, fields] = kindOf(value)
  const sql = expressionSql(value)
  const isPlainFunction = kind !== 'FuncCall' || !fields['over']
  if (whole.has(kind) && isPlainFunction) return sql
  return kind === 'A_Const' && !sql.startsWith('-') ? sql : `(${sql})`
}

const writers: Record<string, (fields: Fields) => string> = {
  ColumnRef: (fields) => list(fields, 'fields').map(partSql).join('.'),
  ParamRef: (fields) => `$${number(fields, 'number')}`,
  A_Const: constantSql,
  A_Expr: operatorSql,
  FuncCall: callSql,
  BoolExpr: (fields) => {
    const args = list(fields, 'args').map(operand)
    const operator = text(fields, 'boolop')
    return operator === 'NOT_EXPR'
      ? `not ${args[0] ?? ''}`
      : args.join(operator === 'AND_EXPR' ? ' and ' : ' or ')
  },
  NullTest: (fields) =>
    `${operand(fields['arg'])} is ${fields['nulltesttype'] === 'IS_NULL' ? '' : 'not '}null`,
  BooleanTest: (fields) =>
    `${operand(fields['arg'])} ${text(fields, 'booltesttype').toLowerCase().replaceAll('_', ' ')}`,
  TypeCast: (fields) => `${operand(fields['arg'])}::${typeSql(fieldsOf(fields['typeName']))}`,
  CollateClause: (fields) =>
    `${operand(fields['arg'])} collate ${list(fields, 'collname').map(partSql).join('.')}`,
  CaseExpr: (fields) =>
    [
      'case',
      ...(fields['arg'] ? [operand(fields['arg'])] : []),
      ...list(fields, 'args').map((one) => {
        const [, branch] = kindOf(one)
        return `when ${expressionSql(branch['expr'])} then ${expressionSql(branch['result'])}`
      }),
      ...(fields['defresult'] ? [`else ${expressionSql(fields['defresult'])}`] : []),
      'end',
    ].join(' '),
  CoalesceExpr: (fields) => `coalesce(${joined(list(fields, 'args'))})`,
  MinMaxExpr: (fields) =>
    `${fields['op'] === 'IS_GREATEST' ? 'greatest' : 'least'}(${joined(list(fields, 'args'))})`,
  RowExpr: (fields) =>
    `${fields['row_format'] === 'COERCE_EXPLICIT_CALL' ? 'row' : ''}(${joined(list(fields, 'args'))})`,
  A_ArrayExpr: (fields) => `array[${joined(list(fields, 'elements'))}]`,
  A_Indirection: (fields) =>
    operand(fields['arg']).replace(/^(?=[^($])(.*)$/s, '($1)') +
    list(fields, 'indirection').map(stepSql).join(''),
  SQLValueFunction: (fields) => {
    const words = text(fields, 'op').replace('SVFOP_', '').toLowerCase()
    return words.endsWith('_n') ? `${words.slice(0, -2)}(${number(fields, 'typmod')})` : words
  },
  SetToDefault: () => 'default',
  SubLink: subquerySql,
  NamedArgExpr: (fields) => `${ident(text(fields, 'name'))} => ${expressionSql(fields['arg'])}`,
}

export function expressionSql(value: unknown): string {
  const [kind, fields] = kindOf(value)
  const write = writers[kind]
  if (!write) throw new UnknownNode(kind)
  return write(fields)
}

function partSql(value: unknown): string {
  const [kind] = kindOf(value)
  return kind === 'A_Star' ? '*' : ident(nameOf(value))
}

function stepSql(value: unknown): string {
  const [kind, fields] = kindOf(value)
  if (kind !== 'A_Indices') return `.${partSql(value)}`
  const bound = (name: string) => (fields[name] ? expressionSql(fields[name]) : '')
  return fields['is_slice'] ? `[${bound('lidx')}:${bound('uidx')}]` : `[${bound('uidx')}]`
}

function constantSql(fields: Fields): string {
  if (fields['isnull']) return 'null'
  if (fields['ival']) return String(number(fieldsOf(fields['ival']), 'ival'))
  if (fields['fval']) return text(fieldsOf(fields['fval']), 'fval')
  if (fields['boolval']) return String(fieldsOf(fields['boolval'])['boolval'] === true)
  if (fields['sval']) return literal(text(fieldsOf(fields['sval']), 'sval'))
  if (!fields['bsval']) throw new UnknownNode('A_Const')
  const bits = text(fieldsOf(fields['bsval']), 'bsval')
  return `${bits.slice(0, 1)}'${bits.slice(1)}'`
}

function operatorSql(fields: Fields): string {
  const kind = text(fields, 'kind')
  const names = list(fields, 'name').map(nameOf)
  const symbol =
    names.length > 1
      ? `operator(${names.slice(0, -1).map(ident).join('.')}.${names.at(-1)})`
      : (names[0] ?? '')
  const left = fields['lexpr'] ? `${operand(fields['lexpr'])} ` : ''
  const many = () => list(fieldsOf(fieldsOf(fields['rexpr'])['List']), 'items')
  const between = (words: string) => `${left}${words} ${many().map(operand).join(' and ')}`
  const right = () => operand(fields['rexpr'])
  switch (kind) {
    case 'AEXPR_OP':
      return `${left}${symbol} ${right()}`
    case 'AEXPR_OP_ANY':
      return `${left}${symbol} any (${expressionSql(fields['rexpr'])})`
    case 'AEXPR_OP_ALL':
      return `${left}${symbol} all (${expressionSql(fields['rexpr'])})`
    case 'AEXPR_DISTINCT':
      return `${left}is distinct from ${right()}`
    case 'AEXPR_NOT_DISTINCT':
      return `${left}is not distinct from ${right()}`
    case 'AEXPR_NULLIF':
      return `nullif(${expressionSql(fields['lexpr'])}, ${expressionSql(fields['rexpr'])})`
    case 'AEXPR_IN':
      return `${left}${symbol === '=' ? 'in' : 'not in'} (${joined(many())})`
    case 'AEXPR_LIKE':
      return `${left}${symbol.startsWith('!') ? 'not like' : 'like'} ${right()}`
    case 'AEXPR_ILIKE':
      return `${left}${symbol.startsWith('!') ? 'not ilike' : 'ilike'} ${right()}`
    case 'AEXPR_BETWEEN':
      return between('between')
    case 'AEXPR_NOT_BETWEEN':
      return between('not between')
    case 'AEXPR_BETWEEN_SYM':
      return between('between symmetric')
    case 'AEXPR_NOT_BETWEEN_SYM':
      return between('not between symmetric')
    default:
      throw new UnknownNode(kind)
  }
}

function callSql(fields: Fields): string {
  const called = list(fields, 'funcname').map(partSql).join('.')
  const args = list(fields, 'args').map(expressionSql)
  const last = args.pop()
  const given = [
    ...args,
    ...(last === undefined ? [] : [`${fields['func_variadic'] ? 'variadic ' : ''}${last}`]),
  ]
  const order = list(fields, 'agg_order')
  const within = Boolean(fields['agg_within_group'])
  const inside = [
    ...(fields['agg_distinct'] ? ['distinct'] : []),
    fields['agg_star'] ? '*' : given.join(', '),
    ...(order.length > 0 && !within ? [orderSql(order)] : []),
  ]
  return [
    `${called}(${inside.filter(Boolean).join(' ')})`,
    ...(within ? [`within group (${orderSql(order)})`] : []),
    ...(fields['agg_filter'] ? [`filter (where ${expressionSql(fields['agg_filter'])})`] : []),
    ...(fields['over'] ? [`over ${windowSql(fieldsOf(fields['over']))}`] : []),
  ].join(' ')
}

export function orderSql(order: readonly unknown[]): string {
  const parts = order.map((one) => {
    const [, by] = kindOf(one)
    const direction = { SORTBY_ASC: ' asc', SORTBY_DESC: ' desc' }[text(by, 'sortby_dir')] ?? ''
    const nulls =
      { SORTBY_NULLS_FIRST: ' nulls first', SORTBY_NULLS_LAST: ' nulls last' }[
        text(by, 'sortby_nulls')
      ] ?? ''
    return `${expressionSql(by['node'])}${direction}${nulls}`
  })
  return `order by ${parts.join(', ')}`
}

export function windowSql(fields: Fields): string {
  if (fields['name']) return ident(text(fields, 'name'))
  const partition = list(fields, 'partitionClause')
  const order = list(fields, 'orderClause')
  const parts = [
    ...(fields['refname'] ? [ident(text(fields, 'refname'))] : []),
    ...(partition.length > 0 ? [`partition by ${joined(partition)}`] : []),
    ...(order.length > 0 ? [orderSql(order)] : []),
  ]
  return `(${parts.join(' ')})`
}

/** `pg_catalog.int4`, `text[]`, `numeric(10, 2)`. */
export function typeSql(fields: Fields): string {
  const name = list(fields, 'names').map(partSql).join('.')
  const bounds = list(fields, 'arrayBounds').map((bound) => {
    const size = kindOf(bound)[1]['ival']
    return typeof size === 'number' && size >= 0 ? `[${size}]` : '[]'
  })
  const modifiers = list(fields, 'typmods')
  return `${fields['setof'] ? 'setof ' : ''}${name}${modifiers.length > 0 ? `(${joined(modifiers)})` : ''}${bounds.join('')}`
}

function subquerySql(fields: Fields): string {
  const query = `(${writtenSql(fields['subselect'])})`
  const tested = fields['testexpr'] ? `${operand(fields['testexpr'])} ` : ''
  const operator = list(fields, 'operName').map(nameOf).join('.')
  const kind = text(fields, 'subLinkType')
  switch (kind) {
    case 'EXISTS_SUBLINK':
      return `exists ${query}`
    case 'EXPR_SUBLINK':
      return query
    case 'ARRAY_SUBLINK':
      return `array${query}`
    case 'ANY_SUBLINK':
      return operator ? `${tested}${operator} any ${query}` : `${tested}in ${query}`
    case 'ALL_SUBLINK':
      return `${tested}${operator} all ${query}`
    default:
      throw new UnknownNode(kind)
  }
}
