/** Every error the platform API can answer with. Clients match on the code or the status, never on the words. */
export const errors = {
  invalid_input: { status: 400, message: 'The request is not valid' },
  bad_json: { status: 400, message: 'The request body is not valid JSON' },
  missing_connection: {
    status: 400,
    // Word for word from the requirements' error catalogue.
    message: 'API Error: happened while trying to acquire connection to the database',
  },
  query_failed: { status: 400, message: 'The database refused the query' },
  weak_password: { status: 400, message: 'You need a stronger password.' },
  not_signed_in: { status: 401, message: 'Sign in to do this' },
  cards_not_accepted: {
    status: 400,
    message: 'This platform does not accept cards. Pay invoices as described on them',
  },
  webhook_signature: { status: 401, message: 'This is not signed with the secret of the webhook' },
  bad_signature: { status: 400, message: 'This event is not signed by the payment provider' },
  organization_restricted: {
    status: 402,
    message:
      'This organization is restricted until its invoices are paid: its data can be read but not changed',
  },
  quota_exceeded: {
    status: 402,
    message:
      'This organization has exceeded the quota of its plan: its data can be read, exported and deleted, but not added to or changed. Upgrade the plan or use less',
  },
  unpaid_invoices: { status: 402, message: "Pay the organization's overdue invoices first" },
  not_allowed: { status: 403, message: 'You do not have permission to do this' },
  mfa_required: { status: 403, message: 'Sign in with a second factor to do this' },
  second_factor_missing: { status: 403, message: 'Confirm with your second factor to continue' },
  session_required: {
    status: 403,
    message: 'This cannot be done with an access token. Sign in to the dashboard',
  },
  insufficient_scope: {
    status: 403,
    message: 'This app does not have the scope required for this',
  },
  bad_origin: { status: 403, message: 'Requests from this origin are not accepted' },
  plan_limit: { status: 403, message: "This organization's plan does not include this" },
  platform_only: { status: 403, message: 'This is not available in self-hosted mode' },
  feature_disabled: { status: 403, message: 'The operator of this platform has switched this off' },
  invitation_not_yours: {
    status: 403,
    message: 'This invitation was sent to another email address',
  },
  free_project_limit: {
    status: 403,
    message: 'The Free plan does not include another active project',
  },
  not_on_this_installation: { status: 400, message: 'This is not available on this installation' },
  function_does_not_start: { status: 400, message: 'The function does not start' },
  not_found: { status: 404, message: 'There is nothing at this address' },
  user_profile_not_found: { status: 404, message: "User's profile not found" },
  organization_not_found: { status: 404, message: 'This organization does not exist' },
  project_not_found: { status: 404, message: 'This project does not exist' },
  access_token_not_found: { status: 404, message: 'This access token does not exist' },
  replica_not_found: { status: 404, message: 'There is no such read replica' },
  merge_request_not_found: { status: 404, message: 'There is no such request to merge' },
  git_not_set_up: { status: 404, message: 'This project does not deploy from git' },
  branch_not_found: { status: 404, message: 'There is no such branch' },
  function_not_found: { status: 404, message: 'This function does not exist' },
  bucket_not_found: { status: 404, message: 'This bucket does not exist' },
  storage_job_not_found: { status: 404, message: 'This folder operation does not exist' },
  trash_item_not_found: { status: 404, message: 'This item is no longer in the trash' },
  object_not_found: { status: 404, message: 'This object does not exist' },
  orphan_not_found: {
    status: 404,
    message: 'There is no orphan with this name. Run plinth orphans list to see them',
  },
  backup_not_found: { status: 404, message: 'This backup does not exist' },
  member_not_found: { status: 404, message: 'This organization has no member with this ID' },
  role_not_found: { status: 404, message: 'This role does not exist here' },
  invitation_not_found: {
    status: 404,
    message: 'This invitation no longer exists: it was used, revoked or replaced by a newer one',
  },
  oauth_app_not_found: { status: 404, message: 'This app does not exist here' },
  oauth_request_not_found: {
    status: 404,
    message: 'This request was already answered, has expired, or was opened by someone else',
  },
  document_not_found: {
    status: 404,
    message: 'The operator of this platform has not provided this document',
  },
  api_key_not_found: { status: 404, message: 'This API key does not exist' },
  storage_key_not_found: { status: 404, message: 'This access key does not exist' },
  signing_key_not_found: { status: 404, message: 'This signing key does not exist' },
  oauth_client_not_found: { status: 404, message: 'This app does not exist' },
  third_party_auth_not_found: { status: 404, message: 'This integration does not exist' },
  sso_not_found: { status: 404, message: 'Single sign-on is not set up' },
  auth_user_not_found: { status: 404, message: 'This user does not exist' },
  snippet_not_found: { status: 404, message: 'This snippet does not exist' },
  folder_not_found: { status: 404, message: 'This folder does not exist' },
  log_drain_not_found: { status: 404, message: 'This log drain does not exist' },
  invoice_not_found: { status: 404, message: 'This invoice does not exist' },
  payment_method_not_found: { status: 404, message: 'This payment method does not exist' },
  tax_id_not_found: { status: 404, message: 'This tax number does not exist' },
  logs_not_kept: {
    status: 403,
    message: "This organization's plan does not keep logs for that long",
  },
  method_not_allowed: { status: 405, message: 'This method is not supported here' },
  logs_query_refused: { status: 400, message: 'The log query is not valid' },
  logs_too_slow: {
    status: 408,
    message:
      'The search took too long and was stopped. Choose a shorter time range or add a filter',
  },
  logs_too_large: {
    status: 422,
    message: 'The search needs too much memory. Choose a shorter time range or add a filter',
  },
  logs_busy: {
    status: 429,
    message: 'Too many log searches are running. Try again in a few seconds',
  },
  logs_engine_missing: {
    status: 501,
    message:
      'Logs are collected, but this platform has no search engine for them. Ask its operator to install the package @duckdb/node-api for it',
  },
  query_timeout: { status: 408, message: 'The query took too long and was stopped' },
  profile_exists: { status: 409, message: 'Profile already exists' },
  too_many_access_tokens: {
    status: 409,
    message: 'You have reached the maximum number of access tokens. Revoke one first',
  },
  too_many_api_keys: {
    status: 409,
    message: 'This project has reached the maximum number of API keys. Delete one first',
  },
  too_many_storage_keys: {
    status: 409,
    message: 'This project has reached the maximum number of access keys. Delete one first',
  },
  too_many_signing_keys: {
    status: 409,
    message:
      'This project has reached the maximum number of signing keys. Delete a revoked one first',
  },
  too_many_log_drains: {
    status: 409,
    message: 'There can be up to 20 log drains here. Delete one first',
  },
  signing_key_exists: { status: 409, message: 'This project already has this signing key' },
  too_many_third_party_auths: {
    status: 409,
    message: 'This project has reached the maximum number of integrations. Remove one first',
  },
  third_party_auth_exists: {
    status: 409,
    message: 'This project already accepts tokens from this issuer',
  },
  standby_exists: {
    status: 409,
    message: 'This project already has a standby key. Rotate to it or move it first',
  },
  signing_key_move: {
    status: 409,
    message: 'A signing key cannot move from its current state to that one',
  },
  signing_key_not_revoked: { status: 409, message: 'Only a revoked signing key can be deleted' },
  legacy_keys_enabled: {
    status: 409,
    message:
      'The anon and service_role keys are signed with this key. Disable the legacy API keys first',
  },
  legacy_secret_revoked: {
    status: 409,
    message: 'The legacy JWT secret is revoked, so keys signed with it would not work',
  },
  sole_owner: {
    status: 409,
    message: 'You are the only owner of some organizations. Add another owner or delete them first',
  },
  too_many_oauth_apps: {
    status: 409,
    message: 'This organization has reached the maximum number of apps. Delete one first',
  },
  oauth_app_public: { status: 409, message: 'A public app has no secret' },
  transfer_refused: { status: 409, message: 'This project cannot be transferred there' },
  invoice_settled: { status: 409, message: 'This invoice is settled and cannot be changed' },
  transaction_gone: {
    status: 409,
    message: 'This transaction has already ended. Uncommitted changes were rolled back',
  },
  transaction_busy: { status: 409, message: 'A statement of this transaction is still running' },
  too_many_folders: {
    status: 409,
    message: 'You have reached the maximum number of folders',
  },
  port_unavailable: { status: 409, message: 'This port is not available' },
  no_orphan: { status: 409, message: 'This project is no longer an orphan' },
  not_adoptable: {
    status: 409,
    message:
      'Only the remains of an unfinished creation exist. They can be removed, but not adopted',
  },
  name_taken: { status: 409, message: 'This name is already in use' },
  not_restoring: { status: 409, message: 'The project is not being restored' },
  backup_running: {
    status: 409,
    message: 'A backup of this project is in progress. Wait until it finishes',
  },
  backup_not_completed: { status: 409, message: 'Only a completed backup can be used' },
  moment_not_covered: {
    status: 409,
    message: "This project's archive does not cover this point in time",
  },
  recovery_off: {
    status: 409,
    message: 'Point-in-time recovery is not enabled for this project',
  },
  compute_too_small: {
    status: 409,
    message: 'Point-in-time recovery requires the Small compute size or larger',
  },
  replica_busy: {
    status: 409,
    message: 'Another operation on the read replica is in progress. Try again when it has finished',
  },
  branch_busy: {
    status: 409,
    message: 'Another operation on the branch is in progress. Try again when it has finished',
  },
  branch_behind: {
    status: 409,
    message: 'Main has changes that this branch lacks. Update the branch first',
  },
  branch_conflict: {
    status: 409,
    message: 'Settings were changed on main as well. Update the branch and choose a side first',
  },
  branch_changed: {
    status: 409,
    message: 'The branch has changed since you looked at it. Look at it again',
  },
  dry_run_running: {
    status: 409,
    message: 'A dry run of this project is in progress. Wait until it finishes',
  },
  approvals_missing: { status: 409, message: 'Merging needs more approvals' },
  merge_request_open: { status: 409, message: 'There is an open request to merge this branch' },
  merge_request_closed: { status: 409, message: 'This request is no longer open' },
  own_merge_request: { status: 409, message: 'Somebody else has to review your request' },
  branch_clash: {
    status: 409,
    message: 'Main has other migrations under the same versions. Give one of each another version',
  },
  has_branches: { status: 409, message: 'The project has branches. Delete them first' },
  parent_deleted: {
    status: 409,
    message: 'The project of this branch is deleted. Restore it first',
  },
  disk_short: {
    status: 409,
    message: 'The disk of this installation is almost full. Ask its operator to free some space',
  },
  custom_domain_off: {
    status: 409,
    message: 'Enable the custom domain add-on of this project first',
  },
  hostname_active: {
    status: 409,
    message: 'The project has an active custom hostname. Delete it before you choose another one',
  },
  certificate_not_needed: {
    status: 409,
    message: 'No order for a certificate of this hostname has failed',
  },
  certificate_limit: {
    status: 429,
    message: 'There were too many orders for certificates. Try again later',
  },
  hostname_not_verified: {
    status: 409,
    message: 'The DNS records of this hostname were not found',
  },
  hostname_taken: {
    status: 409,
    message:
      'Another project uses this hostname. Delete it there, or remove its TXT record, and try again',
  },
  compute_not_here: {
    status: 409,
    message: "This installation's machine is too small for this compute size",
  },
  nothing_to_upgrade: {
    status: 409,
    message: 'The project already runs the installed version',
  },
  upgrade_blocked: { status: 409, message: 'The project cannot be upgraded' },
  resized_recently: {
    status: 409,
    message:
      'The compute size was changed a moment ago. Wait a few minutes before you change it again',
  },
  project_busy: { status: 409, message: 'The project is changing state, try again shortly' },
  last_owner: {
    status: 409,
    message: 'An organization needs an owner. Make someone else an owner first',
  },
  last_role: {
    status: 409,
    message: "This is the member's only role. Remove the member instead",
  },
  already_member: { status: 409, message: 'This person is already a member' },
  already_invited: {
    status: 409,
    message: 'There is already a pending invitation for this address. Resend it or revoke it',
  },
  invitation_expired: { status: 410, message: 'This invitation has expired. Ask for a new one' },
  organization_not_empty: {
    status: 409,
    message: "Delete the organization's projects first",
  },
  organization_owes: {
    status: 409,
    message: "Pay the organization's open invoices first",
  },
  sso_exists: { status: 409, message: 'Single sign-on is already set up' },
  sso_domain_taken: { status: 409, message: 'Another organization owns this domain' },
  sso_record_missing: {
    status: 409,
    message: 'The DNS record was not found. DNS changes can take a while to propagate',
  },
  storage_job_ended: { status: 409, message: 'This has already ended' },
  too_many_storage_jobs: {
    status: 409,
    message: 'Too many folder operations are running. Wait until one finishes',
  },
  bucket_not_empty: { status: 409, message: 'Empty this bucket first' },
  bucket_private: { status: 409, message: 'This bucket is private, so it has no public URLs' },
  function_exists: { status: 409, message: 'A function with this name already exists' },
  conflict: { status: 409, message: 'Someone else changed this in the meantime' },
  body_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media: { status: 415, message: 'Send the body as application/json' },
  ai_busy: { status: 429, message: 'The model is overloaded. Try again shortly' },
  rate_limited: { status: 429, message: 'Too many requests, slow down' },
  invitation_limit: {
    status: 429,
    message: 'This organization has reached its daily limit of invitations',
  },
  internal: { status: 500, message: 'Something went wrong on our side' },
  ai_refused: {
    status: 502,
    message:
      "The model provider rejected the platform's key. The operator needs to check OPENAI_API_KEY",
  },
  ai_model_unknown: {
    status: 502,
    message:
      'The model provider does not know this model. The operator needs to check OPENAI_MODEL',
  },
  ai_rejected: {
    status: 502,
    message: 'The model rejected the message. It may be too long: start a new chat',
  },
  ai_unavailable: { status: 502, message: 'The model is not responding. Try again shortly' },
  ai_not_configured: {
    status: 503,
    message: 'No model is configured. The operator needs to set OPENAI_API_KEY',
  },
  project_unreachable: { status: 503, message: "This project's database is not responding" },
  service_unavailable: { status: 503, message: 'The platform is not ready. Try again shortly' },
  ai_timeout: { status: 504, message: 'The model took too long and was stopped' },
  upstream_timeout: { status: 504, message: 'The database did not respond in time' },
  disk_full: { status: 507, message: 'There is not enough disk space for this' },
} as const

export type ErrorCode = keyof typeof errors
export type ErrorBody = {
  code: ErrorCode
  message: string
  requestId: string
  /** Of mfa_required: the slug of the organization that asks, whose page says what to do. */
  organization?: string
}
