CREATE TABLE `app_state` (
	`app_name` text NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`app_name`, `key`)
);
--> statement-breakpoint
CREATE INDEX `app_state_by_version` ON `app_state` (`app_name`,`version`);--> statement-breakpoint
CREATE TABLE `compaction_calibrations` (
	`scope` integer NOT NULL,
	`model` text NOT NULL,
	`estimator` text NOT NULL,
	`state_json` text NOT NULL,
	PRIMARY KEY(`scope`, `model`, `estimator`),
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `compaction_decisions` (
	`scope` integer NOT NULL,
	`kind` text NOT NULL,
	`identity` text NOT NULL,
	`occurrences` integer NOT NULL,
	PRIMARY KEY(`scope`, `kind`, `identity`),
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `compaction_deletions` (
	`id` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `compaction_records` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` integer NOT NULL,
	`kind` text NOT NULL,
	`prefix_hash` text,
	`record_json` text NOT NULL,
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `compaction_records_by_scope` ON `compaction_records` (`scope`,`prefix_hash`);--> statement-breakpoint
CREATE TABLE `compaction_samples` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` integer NOT NULL,
	`model` text NOT NULL,
	`time` integer NOT NULL,
	`estimate` integer NOT NULL,
	`prediction` integer NOT NULL,
	`expected` integer NOT NULL,
	`reported` integer NOT NULL,
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `compaction_samples_by_scope` ON `compaction_samples` (`scope`);--> statement-breakpoint
CREATE TABLE `compaction_scopes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`scope_json` text NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `compaction_scopes_by_key` ON `compaction_scopes` (`app_name`,`user_id`,`session_id`,`scope_json`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`session` integer NOT NULL,
	`version` integer NOT NULL,
	`event_id` text NOT NULL,
	`timestamp` integer,
	`replaced` integer,
	`body_json` text NOT NULL,
	FOREIGN KEY (`session`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `events_by_version` ON `events` (`session`,`version`,`event_id`);--> statement-breakpoint
CREATE INDEX `events_replaced` ON `events` (`session`,`replaced`) WHERE "events"."replaced" is not null;--> statement-breakpoint
CREATE TABLE `session_state` (
	`session` integer NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`session`, `key`),
	FOREIGN KEY (`session`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`create_time` integer NOT NULL,
	`update_time` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_key` ON `sessions` (`app_name`,`user_id`,`session_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`app_name`,`user_id`);--> statement-breakpoint
CREATE TABLE `user_state` (
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`app_name`, `user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `user_state_by_version` ON `user_state` (`app_name`,`user_id`,`version`);