import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../values.ts'

/** What an operator is told of, and when it is so. */
export const conditions = {
  backup_failed: 'The newest backup of a project failed.',
  backup_late: 'A scheduled backup is more than 3 hours late.',
  disk_short: 'Less than 10% or less than 5 GB of the disk is free.',
  project_unhealthy: 'A project has not answered for 5 minutes.',
  certificate_ending:
    'The TLS certificate of one of our addresses ends within 14 days, or there is none because it could not be got.',
  round_failing: 'Recurring work has failed for 10 minutes.',
  job_stuck: 'A job has not finished after an hour (a mail after 3 hours).',
  data_plane_lost: 'A control plane or data plane has not reported for a minute.',
} as const
export type Condition = keyof typeof conditions
// The keys of an object literal are exactly those of its type.
export const conditionNames = Object.keys(conditions) as [Condition, ...Condition[]]

export const maxAlertEmails = 10

const Delivery = z.object({
  event: z.enum(['opened', 'closed']),
  attempts: z.number(),
  told_at: Instant.nullable(),
  /** When it is sent again; null: it was told, or given up. */
  next_at: Instant.nullable(),
  /** Of the last attempt. */
  failure: z.string().nullable(),
})

export const Alert = z.object({
  id: z.string(),
  condition: z.enum(conditionNames),
  /** What it is about within the condition: a project's ref, a folder, a job's id. */
  subject: z.string(),
  message: z.string(),
  opened_at: Instant,
  closed_at: Instant.nullable(),
  /** To the webhook; empty where none was set when the alert opened. */
  deliveries: z.array(Delivery),
})
export type Alert = z.infer<typeof Alert>

const Settings = z.object({
  emails: z.array(z.string()),
  webhook_url: z.string().nullable(),
  /** The conditions that open no alert. */
  muted: z.array(z.enum(conditionNames)),
})

/** The address is the operator's own, so it may be of the inner network, and plain HTTP. */
const webhookUrl = z.url({ protocol: /^https?$/, hostname: /./ }).max(2000)

const operator = { needs: 'operator', sessionOnly: true } as const

export const alerts = {
  /** Open ones first, then those that closed last. */
  list: endpoint('alerts.list', 'GET /platform/operator/alerts', {
    ...operator,
    input: z.object({}),
    returns: z.object({
      alerts: z.array(Alert),
      /** Conditions that cannot be looked at here, and why. */
      absent: z.array(z.object({ condition: z.enum(conditionNames), why: z.string() })),
    }),
  }),
  settings: endpoint('alerts.settings', 'GET /platform/operator/alert-settings', {
    ...operator,
    input: z.object({}),
    returns: Settings,
  }),
  setSettings: endpoint('alerts.set-settings', 'PUT /platform/operator/alert-settings', {
    ...operator,
    input: z.object({
      emails: z.array(z.email().max(254)).max(maxAlertEmails),
      webhook_url: webhookUrl.nullable(),
      muted: z.array(z.enum(conditionNames)).max(conditionNames.length),
    }),
    returns: Settings.extend({
      /** Signs messages (Standard Webhooks). Only where this call has made it; it is not shown again. */
      webhook_secret: z.string().nullable(),
    }),
  }),
  /** A new secret; the one before signs nothing any more. */
  newSecret: endpoint('alerts.new-secret', 'POST /platform/operator/alert-settings/secret', {
    ...operator,
    input: z.object({}),
    returns: z.object({ webhook_secret: z.string() }),
  }),
  /** Sends a test message to every address of the settings. */
  test: endpoint('alerts.test', 'POST /platform/operator/alert-settings/test', {
    ...operator,
    perMinute: 6,
    input: z.object({}),
    returns: z.object({
      /** Mails that are on their way. */
      mails: z.number(),
      /** Null: none is set. */
      webhook: z.object({ ok: z.boolean(), failure: z.string().nullable() }).nullable(),
    }),
  }),
}
