import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '#kit/root'

const DataSource = z.strictObject({
  type: z.literal('prometheus'),
  uid: z.literal('${datasource}'),
})
const Target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  expr: z.string().min(1),
  legendFormat: z.string().min(1),
  datasource: DataSource,
})
const Panel = z.strictObject({
  id: z.number().int().positive(),
  type: z.enum(['stat', 'timeseries']),
  title: z.string().min(1),
  description: z.string(),
  datasource: DataSource,
  gridPos: z.strictObject({
    h: z.number().int().positive(),
    w: z.number().int().positive(),
    x: z.number().int().min(0),
    y: z.number().int().min(0),
  }),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      unit: z.enum(['none', 'short', 'bytes', 'decmbytes', 'Bps', 'ops', 'reqps', 'percentunit']),
      min: z.number().optional(),
      max: z.number().optional(),
    }),
    overrides: z.array(z.never()),
  }),
  options: z.union([
    z.strictObject({ reduceOptions: z.strictObject({ calcs: z.array(z.literal('lastNotNull')) }) }),
    z.strictObject({
      legend: z.strictObject({ displayMode: z.literal('list'), placement: z.literal('bottom') }),
      tooltip: z.strictObject({ mode: z.literal('multi') }),
    }),
  ]),
  targets: z.array(Target).min(1),
})
const Variable = z.union([
  z.strictObject({
    name: z.literal('datasource'),
    label: z.string(),
    type: z.literal('datasource'),
    query: z.literal('prometheus'),
  }),
  z.strictObject({
    name: z.literal('project'),
    label: z.string(),
    type: z.literal('query'),
    datasource: DataSource,
    query: z.strictObject({ query: z.string(), refId: z.string() }),
    refresh: z.literal([0, 1, 2]),
    sort: z.number().int(),
  }),
])
/** What of the dashboard model of Grafana the file uses, version 39 of its schema; anything else in it is a slip. */
const Dashboard = z.strictObject({
  title: z.string().min(1),
  uid: z.string().regex(/^[\w-]{1,40}$/),
  schemaVersion: z.literal(39),
  version: z.number().int(),
  editable: z.boolean(),
  refresh: z.string().regex(/^\d+[smh]$/),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  timezone: z.literal(['browser', 'utc']),
  tags: z.array(z.string()),
  templating: z.strictObject({ list: z.array(Variable) }),
  panels: z.array(Panel),
})

/** The dashboard that we offer. @throws ZodError where it is none */
export const readDashboard = () =>
  Dashboard.parse(JSON.parse(readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8')))

type Asked = { metric: string; matchers: string; isRate: boolean }
/** The metrics that a query asks for, all of which are of one project. */
export const metricsAsked = (expr: string): Asked[] =>
  [...expr.matchAll(/(rate\(|increase\()?\b([a-z]\w*)\{([^}]*)\}/gi)].map(
    ([, call, metric = '', matchers = '']) => ({ metric, matchers, isRate: call !== undefined }),
  )
