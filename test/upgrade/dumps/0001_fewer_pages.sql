PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric);
INSERT INTO "__drizzle_migrations" VALUES(NULL,'b0045326a2c2f039c8b576b9c4cef6c29f9bef1c4c1b551ae02e300143c0665a',1796070788185);
INSERT INTO "__drizzle_migrations" VALUES(NULL,'54216022704150886977e9a4d8ccfda2588e27e1f72fc50da9ff6772531d8517',1796091327068);
CREATE TABLE `app_state` (
	`app_name` text NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`app_name`, `key`)
);
INSERT INTO "app_state" VALUES('app','"a"','1',1);
INSERT INTO "app_state" VALUES('app','"shared"','"a"',2);
CREATE TABLE `compaction_calibrations` (
	`scope` integer NOT NULL,
	`model` text NOT NULL,
	`estimator` text NOT NULL,
	`state_json` text NOT NULL,
	PRIMARY KEY(`scope`, `model`, `estimator`),
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "compaction_calibrations" VALUES(1,'gemini','bytes','{"factor":1.25,"samples":3}');
CREATE TABLE `compaction_decisions` (
	`scope` integer NOT NULL,
	`kind` text NOT NULL,
	`identity` text NOT NULL,
	`occurrences` integer NOT NULL,
	PRIMARY KEY(`scope`, `kind`, `identity`),
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "compaction_decisions" VALUES(1,'elision','sha256:aa',2);
INSERT INTO "compaction_decisions" VALUES(2,'drop','sha256:bb',1);
CREATE TABLE `compaction_deletions` (
	`id` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
INSERT INTO "compaction_deletions" VALUES(1,1);
CREATE TABLE "compaction_records" (
	`id` integer PRIMARY KEY NOT NULL,
	`scope` integer NOT NULL,
	`kind` text NOT NULL,
	`prefix_hash` text,
	`record_json` text NOT NULL,
	FOREIGN KEY (`scope`) REFERENCES `compaction_scopes`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "compaction_records" VALUES(1,1,'elision',NULL,'{"kind":"elision","scope":{"agentName":"agent"},"time":100,"tokensBefore":1000,"tokensAfter":400,"covers":[{"identity":"sha256:aa","toolName":"read","index":2},{"identity":"sha256:bb","index":5}]}');
INSERT INTO "compaction_records" VALUES(2,1,'failed-fold','hash-failed','{"kind":"failed-fold","scope":{"agentName":"agent"},"time":70,"split":4,"prefixHash":"hash-failed","tokensBefore":900,"errorClass":"incomplete","reason":"MAX_TOKENS","attempts":2,"usage":{"promptTokenCount":10,"candidatesTokenCount":2,"totalTokenCount":12,"thoughtsTokenCount":1},"responseId":"response-2","outputTypes":["message"]}');
INSERT INTO "compaction_records" VALUES(3,1,'fold','hash-1','{"kind":"fold","scope":{"agentName":"agent"},"time":50,"tokensBefore":900,"tokensAfter":300,"covers":[{"identity":"sha256:cc","index":0}],"split":4,"prefixHash":"hash-1","output":[{"role":"user","parts":[{"text":"Summary \ud83d half, NUL \u0000, line  "}]}],"summary":"Summary \ud83d half, NUL \u0000, line  ","pinned":[1,2],"usage":{"promptTokenCount":10,"candidatesTokenCount":2,"totalTokenCount":12,"thoughtsTokenCount":1},"responseId":"response-\ud83d","outputTypes":["message","compaction"],"attempts":2}');
CREATE TABLE "compaction_samples" (
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
INSERT INTO "compaction_samples" VALUES(1,1,'gemini',7,10,12,13,14);
CREATE TABLE `compaction_scopes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`scope_json` text NOT NULL,
	`revision` integer NOT NULL
);
INSERT INTO "compaction_scopes" VALUES(1,'app','user','session','["agent",null,null]',1);
INSERT INTO "compaction_scopes" VALUES(2,'app','user','session','["agent","parallel.agent","node-1"]',1);
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
INSERT INTO "events" VALUES(1,1,2,'full',1700000000123,NULL,'{"id":"full","invocationId":"invocation","author":"agent","branch":"root.agent","timestamp":1700000000123,"longRunningToolIds":["call-1"],"content":{"role":"model","parts":[{"text":"thinking","thought":true,"thoughtSignature":"c2lnbmF0dXJl"},{"functionCall":{"id":"call-1","name":"read","args":{"z":2,"a":1,"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]}},"thoughtSignature":"AAEC"},{"functionResponse":{"id":"call-1","name":"read","response":{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}],"proto":{"__proto__":{"polluted":true},"constructor":"c","a":{"__proto__":1}},"half":"bad \ud83d tail"}}},{"inlineData":{"mimeType":"image/png","data":"AAEC","displayName":"p"},"videoMetadata":{"fps":1}},{"fileData":{"fileUri":"gs://bucket/file","mimeType":"application/pdf"}},{"executableCode":{"code":"print(1)"},"partMetadata":{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]}},{"codeExecutionResult":{"output":"W\u0000s\u0000l\u0000 a b 🎉"}}]},"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"groundingMetadata":{"webSearchQueries":["q"]},"citationMetadata":{"citations":[{"uri":"u","startIndex":0}]},"customMetadata":{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]},"errorCode":"CODE","errorMessage":"message","turnComplete":true,"interrupted":false,"inputTranscription":{"text":"in","finished":true},"outputTranscription":{"text":"out"},"output":{"answer":[1,null,false,""]},"route":["left",2,true],"nodeInfo":{"path":"wf.child.0","outputFor":["wf"],"messageAsOutput":true},"isolationScope":"node-1","actions":{"stateDelta":{"plain":{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]},"app:shared":"a","user:name":"u","half":"\ud83d","nul\u0000key":"\u0000"},"artifactDelta":{"file.txt":3},"requestedAuthConfigs":{},"requestedToolConfirmations":{},"skipSummarization":true,"transferToAgent":"other","escalate":false,"agentState":{"step":2,"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]},"endOfAgent":true},"unknownField":{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]},"snake_field":1,"snakeField":2,"nothing":null,"proto":{"__proto__":{"polluted":true},"constructor":"c","a":{"__proto__":1}}}');
INSERT INTO "events" VALUES(2,1,3,'second',5,NULL,'{"author":"user","content":{"role":"user","parts":[{"text":"state"}]},"id":"second","timestamp":5,"invocationId":"","actions":{"stateDelta":{},"artifactDelta":{},"requestedAuthConfigs":{},"requestedToolConfirmations":{}},"longRunningToolIds":[]}');
CREATE TABLE `session_state` (
	`session` integer NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`session`, `key`),
	FOREIGN KEY (`session`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "session_state" VALUES(1,'"own"','3',1);
INSERT INTO "session_state" VALUES(1,'"removed"',NULL,3);
INSERT INTO "session_state" VALUES(1,'"plain"','{"my_meta":1,"myMeta":2,"_x":3,"X":4,"app:y":null,"deep":[{"a_b":[],"aB":{}}]}',2);
INSERT INTO "session_state" VALUES(1,'"half"','"\ud83d"',2);
INSERT INTO "session_state" VALUES(1,'"nul\u0000key"','"\u0000"',2);
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`create_time` integer NOT NULL,
	`update_time` integer NOT NULL,
	`version` integer NOT NULL
);
INSERT INTO "sessions" VALUES(1,'app','user','session',1796068973186,1796068973186,3);
CREATE TABLE `user_state` (
	`app_name` text NOT NULL,
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text,
	`version` integer NOT NULL,
	PRIMARY KEY(`app_name`, `user_id`, `key`)
);
INSERT INTO "user_state" VALUES('app','user','"u"','2',1);
INSERT INTO "user_state" VALUES('app','user','"name"','"u"',2);
CREATE INDEX `app_state_by_version` ON `app_state` (`app_name`,`version`);
CREATE UNIQUE INDEX `compaction_scopes_by_key` ON `compaction_scopes` (`app_name`,`user_id`,`session_id`,`scope_json`);
CREATE INDEX `events_by_version` ON `events` (`session`,`version`,`event_id`);
CREATE INDEX `events_replaced` ON `events` (`session`,`replaced`) WHERE "events"."replaced" is not null;
CREATE UNIQUE INDEX `sessions_by_key` ON `sessions` (`app_name`,`user_id`,`session_id`);
CREATE INDEX `sessions_by_user` ON `sessions` (`app_name`,`user_id`);
CREATE INDEX `user_state_by_version` ON `user_state` (`app_name`,`user_id`,`version`);
CREATE INDEX `compaction_records_by_scope` ON `compaction_records` (`scope`,`prefix_hash`);
CREATE INDEX `compaction_samples_by_scope` ON `compaction_samples` (`scope`);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('sessions',2);
INSERT INTO "sqlite_sequence" VALUES('compaction_scopes',2);
COMMIT;
