PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_compaction_records` (
	`id` integer PRIMARY KEY NOT NULL,
	`scope` integer NOT NULL,
	`kind` text NOT NULL,
	`prefix_hash` text,
	`record_json` text NOT NULL,
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_compaction_records`("id", "scope", "kind", "prefix_hash", "record_json") SELECT "id", "scope", "kind", "prefix_hash", "record_json" FROM `compaction_records`;--> statement-breakpoint
DROP TABLE `compaction_records`;--> statement-breakpoint
ALTER TABLE `__new_compaction_records` RENAME TO `compaction_records`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `compaction_records_by_scope` ON `compaction_records` (`scope`,`prefix_hash`);--> statement-breakpoint
CREATE TABLE `__new_compaction_samples` (
	`id` integer PRIMARY KEY NOT NULL,
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
INSERT INTO `__new_compaction_samples`("id", "scope", "model", "time", "estimate", "prediction", "expected", "reported") SELECT "id", "scope", "model", "time", "estimate", "prediction", "expected", "reported" FROM `compaction_samples`;--> statement-breakpoint
DROP TABLE `compaction_samples`;--> statement-breakpoint
ALTER TABLE `__new_compaction_samples` RENAME TO `compaction_samples`;--> statement-breakpoint
CREATE INDEX `compaction_samples_by_scope` ON `compaction_samples` (`scope`);