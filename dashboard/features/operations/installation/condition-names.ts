import type { Condition } from '#contract/operations/alerts'

/** What each kind of alert is called on the page. */
export const conditionNamesShown: Record<Condition, string> = {
  backup_failed: 'Backup failed',
  backup_late: 'Backup late',
  disk_short: 'Disk almost full',
  project_unhealthy: 'Project unhealthy',
  certificate_ending: 'Certificate expiring',
  round_failing: 'Recurring work failing',
  job_stuck: 'Job stuck',
  data_plane_lost: 'Program not reporting',
}
