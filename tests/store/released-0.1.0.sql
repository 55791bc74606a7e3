-- A store of schema 6, as 0.1.0 wrote it: three people take coin by links (one is done and excluded, one is in the middle,
-- one has not come), and a program takes inbox and was cut off after a save. The link of the one in the middle is
-- /p/PN9BkeYfA6b-fRXp-i9Dd7N5fvx5naZI.
BEGIN TRANSACTION;
CREATE TABLE accounts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, role TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL, disabled BOOLEAN NOT NULL);
INSERT INTO "accounts" VALUES(1,'erin','$argon2id$v=19$m=65536,t=3,p=4$mTX6/ZvX/moaiOixI8p7YA$FKczIJlY6BU/Wnx/HUcFAFcmm//x88RvBy46884ktXQ','experimenter',1.79482464076641726495e+09,0);
CREATE TABLE artefacts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, panel TEXT NOT NULL, code TEXT NOT NULL, content TEXT NOT NULL, condition TEXT NOT NULL,
        source TEXT NOT NULL);
CREATE TABLE assignments (
        number INTEGER PRIMARY KEY AUTOINCREMENT, panel TEXT NOT NULL, rater TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL,
        session TEXT NOT NULL, work TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT, time DOUBLE PRECISION NOT NULL, who TEXT NOT NULL, did TEXT NOT NULL, what TEXT NOT NULL,
        details TEXT NOT NULL);
INSERT INTO "audit" VALUES(1,1.79482465113008379936e+09,'erin','excluded a session','coin-4492beca/0.0.0','{}');
CREATE TABLE contents (address TEXT PRIMARY KEY, body TEXT NOT NULL);
INSERT INTO "contents" VALUES('5d66394bcae29333be66a41d407c07e7','{"prompt":"This coin falls heads with chance 0.57. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('3fa4581a4a415ecf43c451b153160d85','{"prompt":"This coin falls heads with chance 0.16. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('25a95051a83005fe0cd5170affc814ad','{"prompt":"This coin falls heads with chance 0.50. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('b350b6605e4c058c2accf7915839c180','{"prompt":"This coin falls heads with chance 0.42. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('50c2c89be4fdeb5296c89b5a98665730','{"prompt":"This coin falls heads with chance 0.30. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('1b4526466e761396a2a6f89831e0b8fa','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 7. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('228d2ad55630fced8223189ee0285d2f','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 6. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('2334adb1089e1e8ca0fb01988d81e5a8','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 4. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('3c30c74780d4c91b8b3e66ecfd9997f6','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 5. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('548fa4ab34371a670d3f67a35441cd02','{"prompt":"Half of it is done. No mail arrives until you go on.","space":null}');
INSERT INTO "contents" VALUES('55e8dbab91ff6863341224638ad52182','{"prompt":"New mail: m1, due at 7.","space":null}');
INSERT INTO "contents" VALUES('606c03a4ac253552e7a2fe29623db64a','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 10. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('756c62a574afed7253152769696af866','{"prompt":"Mail arrives while you work. File each message before it is due: **act** if something is broken or someone is waiting for you now, **answer** if you are asked a question that can wait, **keep** if it only informs you, **bin** if it wants to sell you something.","space":null}');
INSERT INTO "contents" VALUES('aa54c126bb04b3a3305cc0c374ab846c','{"prompt":{"kind":"mailbox","messages":[{"id":"m1","sender":"Ada","subject":"Thank you","body":"Thank you for your help in the loading dock. All is well now.","tick":2,"folder":"inbox","read":false}],"title":"It is 2. Due: m1 at 7."},"space":{"kind":"call","tools":{"file":{"about":"Put a message into a folder.","arguments":{"message":{"kind":"choice","options":["m1"]},"folder":{"kind":"choice","options":["act","answer","keep","bin"]}},"optional":[]},"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('be1d9017304537f635a82b71c3eb000d','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 9. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('d20671a6546691f82a47fb1e2f702185','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 8. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('e9779e2167437df236a8cd8e120a7f29','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 0. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
INSERT INTO "contents" VALUES('eb987b2e9586d34f863dc6d081e5e4eb','{"prompt":{"kind":"mailbox","messages":[],"title":"It is 1. Nothing waits to be filed."},"space":{"kind":"call","tools":{"wait":{"about":"Do nothing for a moment.","arguments":{},"optional":[]}}}}');
CREATE TABLE events (
        session BIGINT NOT NULL REFERENCES sessions (number), number BIGINT NOT NULL, kind TEXT NOT NULL,
        role TEXT NOT NULL, key TEXT NOT NULL, tick BIGINT NOT NULL, value TEXT, reward DOUBLE PRECISION,
        until BIGINT, nonce TEXT, notes TEXT, content TEXT REFERENCES contents (address), time DOUBLE PRECISION,
        CONSTRAINT events_number PRIMARY KEY (session, number)) WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'5d66394bcae29333be66a41d407c07e7',1.79482465026074028014e+09);
INSERT INTO "events" VALUES(1,2,'answer','subject','coin0',0,'0.7',NULL,NULL,'X9yMHoHW8QfY34_O',NULL,NULL,1.79482465046364140504e+09);
INSERT INTO "events" VALUES(1,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'3fa4581a4a415ecf43c451b153160d85',1.79482465046364140504e+09);
INSERT INTO "events" VALUES(1,4,'answer','subject','coin1',0,'0.2',NULL,NULL,'UUJMQTkSYJqMIgz5',NULL,NULL,1.79482465063635420799e+09);
INSERT INTO "events" VALUES(1,5,'ask','subject','coin2',0,'"probability"',NULL,NULL,NULL,NULL,'25a95051a83005fe0cd5170affc814ad',1.79482465063635420799e+09);
INSERT INTO "events" VALUES(1,6,'answer','subject','coin2',0,'0.9',NULL,NULL,'cIjPPhyeslVTvqJK',NULL,NULL,1.79482465071623420718e+09);
INSERT INTO "events" VALUES(1,7,'digest','','',0,'"e7b7332d718a436abae41b5277be1df5"',NULL,NULL,NULL,NULL,NULL,1.79482465071623420718e+09);
INSERT INTO "events" VALUES(1,8,'end','','',0,'{"status":"finished","outcome":{"prompt":"","reward":null,"truncated":false},"last_words":""}',NULL,NULL,NULL,NULL,NULL,1.79482465071623420718e+09);
INSERT INTO "events" VALUES(2,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'b350b6605e4c058c2accf7915839c180',1.79482465096402192114e+09);
INSERT INTO "events" VALUES(2,2,'answer','subject','coin0',0,'0.6',NULL,NULL,'9B1cdTqHQQTE8DQE',NULL,NULL,1.79482465111298418046e+09);
INSERT INTO "events" VALUES(2,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'50c2c89be4fdeb5296c89b5a98665730',1.79482465111298418046e+09);
INSERT INTO "events" VALUES(4,1,'tell','subject','1',0,NULL,NULL,NULL,NULL,NULL,'756c62a574afed7253152769696af866',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,2,'ask','subject','act',0,'"call"',NULL,2,NULL,NULL,'e9779e2167437df236a8cd8e120a7f29',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,3,'answer','subject','act',1,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,4,'ask','subject','act',1,'"call"',NULL,2,NULL,NULL,'eb987b2e9586d34f863dc6d081e5e4eb',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,5,'lapse','subject','act',2,NULL,NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,6,'tell','subject','m1',2,NULL,NULL,NULL,NULL,NULL,'55e8dbab91ff6863341224638ad52182',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,7,'ask','subject','act',2,'"call"',NULL,7,NULL,NULL,'aa54c126bb04b3a3305cc0c374ab846c',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,8,'answer','subject','act',4,'{"call":"file","arguments":{"message":"m1","folder":"act"}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,9,'ask','subject','act',4,'"call"',NULL,10,NULL,NULL,'2334adb1089e1e8ca0fb01988d81e5a8',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,10,'answer','subject','act',5,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,11,'ask','subject','act',5,'"call"',NULL,10,NULL,NULL,'3c30c74780d4c91b8b3e66ecfd9997f6',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,12,'answer','subject','act',6,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,13,'ask','subject','act',6,'"call"',NULL,10,NULL,NULL,'228d2ad55630fced8223189ee0285d2f',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,14,'answer','subject','act',7,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,15,'ask','subject','act',7,'"call"',NULL,10,NULL,NULL,'1b4526466e761396a2a6f89831e0b8fa',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,16,'answer','subject','act',8,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,17,'ask','subject','act',8,'"call"',NULL,10,NULL,NULL,'d20671a6546691f82a47fb1e2f702185',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,18,'answer','subject','act',9,'{"call":"wait","arguments":{}}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,19,'ask','subject','act',9,'"call"',NULL,10,NULL,NULL,'be1d9017304537f635a82b71c3eb000d',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,20,'lapse','subject','act',10,NULL,NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,21,'save','','',10,'{"state":{"phase":1},"rng":{"bit_generator":"PCG64","state":{"state":239854315131625697216594973320689067276,"inc":267012485148415086827417600955486593123},"has_uint32":1,"uinteger":1743460485},"tick":10,"number":21,"turns":7,"digest":"9862a40b5e9b95a2077ce1a938f62b81","gone":[]}',NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,22,'pause','','',10,NULL,NULL,NULL,NULL,NULL,'548fa4ab34371a670d3f67a35441cd02',1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,23,'unpause','','',10,NULL,NULL,NULL,NULL,NULL,NULL,1.79482465135036754603e+09);
INSERT INTO "events" VALUES(4,24,'ask','subject','act',10,'"call"',NULL,12,NULL,NULL,'606c03a4ac253552e7a2fe29623db64a',1.79482465135036754603e+09);
CREATE TABLE exclusions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, excluded BOOLEAN NOT NULL, reason TEXT NOT NULL,
        planned BOOLEAN NOT NULL, who TEXT NOT NULL, time DOUBLE PRECISION NOT NULL);
INSERT INTO "exclusions" VALUES(1,'coin-4492beca/0.0.0',1,'Took a call.',0,'erin',1.79482465112930440905e+09);
CREATE TABLE identities (
        invitation BIGINT PRIMARY KEY REFERENCES invitations (number), name TEXT NOT NULL, contact TEXT NOT NULL,
        notes TEXT NOT NULL);
INSERT INTO "identities" VALUES(1,'Ann','ann@example.org','');
CREATE TABLE invitations (
        number INTEGER PRIMARY KEY AUTOINCREMENT, token_hash TEXT NOT NULL UNIQUE, label TEXT NOT NULL, steps TEXT NOT NULL,
        step BIGINT NOT NULL, status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, created_by TEXT NOT NULL,
        expires DOUBLE PRECISION, entered DOUBLE PRECISION, consented DOUBLE PRECISION, finished DOUBLE PRECISION,
        details TEXT NOT NULL);
INSERT INTO "invitations" VALUES(1,'3ae0e554372cefafdf449352fd6bb2b68e2e1eefd218a30df6a5ba5afd987f8a','pilot','[{"kind":"consent","practice":false,"role":"subject","session":"","text":"We keep your answers.","title":"Consent"},{"kind":"session","practice":false,"role":"subject","session":"coin-4492beca/0.0.0","text":"","title":""},{"kind":"thanks","practice":false,"role":"subject","session":"","text":"","title":""}]',1,'open',1.7948246417440803051e+09,'erin',NULL,1794824649.03222,1.79482465024878907206e+09,NULL,'{}');
INSERT INTO "invitations" VALUES(2,'11bbc55b99f7244b4f1ac532919f2bf297fb53df0bf3701a49c9e1accbd5c1ab','pilot','[{"kind":"consent","practice":false,"role":"subject","session":"","text":"We keep your answers.","title":"Consent"},{"kind":"session","practice":false,"role":"subject","session":"coin-4492beca/0.0.1","text":"","title":""},{"kind":"thanks","practice":false,"role":"subject","session":"","text":"","title":""}]',1,'open',1.79482464177677488326e+09,'erin',NULL,1794824650.93983,1.79482465095115947721e+09,NULL,'{}');
INSERT INTO "invitations" VALUES(3,'34983fa99020a338916d93b7e15fbf94bd97826df471aec4ade89964f9892253','pilot','[{"kind":"consent","practice":false,"role":"subject","session":"","text":"We keep your answers.","title":"Consent"},{"kind":"session","practice":false,"role":"subject","session":"coin-4492beca/0.0.2","text":"","title":""},{"kind":"thanks","practice":false,"role":"subject","session":"","text":"","title":""}]',0,'open',1.79482464181094312667e+09,'erin',NULL,NULL,NULL,NULL,'{}');
CREATE TABLE keys (
        number INTEGER PRIMARY KEY AUTOINCREMENT, secret_hash TEXT NOT NULL UNIQUE, account BIGINT NOT NULL REFERENCES accounts (number),
        kind TEXT NOT NULL, label TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,
        expires DOUBLE PRECISION NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('application','mensura');
INSERT INTO "meta" VALUES('schema','6');
INSERT INTO "meta" VALUES('web_key','0880c3184a0b3b3abd8f3f4aab29c609096869b42e8b464fb92f87cc1dc76e99');
CREATE TABLE panels (
        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, rubric TEXT NOT NULL, details TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL, closed DOUBLE PRECISION);
CREATE TABLE ratings (
        number INTEGER PRIMARY KEY AUTOINCREMENT, artefact BIGINT NOT NULL REFERENCES artefacts (number), rater TEXT NOT NULL,
        item TEXT NOT NULL, value DOUBLE PRECISION, comment TEXT NOT NULL, kind TEXT NOT NULL,
        time DOUBLE PRECISION NOT NULL);
CREATE TABLE results (
        number INTEGER PRIMARY KEY AUTOINCREMENT, session BIGINT NOT NULL REFERENCES sessions (number), scoring TEXT NOT NULL,
        instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, scores TEXT NOT NULL, details TEXT NOT NULL,
        time DOUBLE PRECISION NOT NULL);
INSERT INTO "results" VALUES(1,1,'natural-1','17c7d0ff082f82c7','cbfe1c127ee4a159','{"logarithmic_score":{"values":[-0.5108256237659905,0.47000362924573563,0.5877866649021191],"keys":["coin0","coin1","coin2"],"proportion":false},"quadratic_score":{"values":[-0.23999999999999994,0.20999999999999996,0.24],"keys":["coin0","coin1","coin2"],"proportion":false}}','{}',1.79482465075718164446e+09);
CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, test TEXT NOT NULL, parameters TEXT NOT NULL, "cast" TEXT NOT NULL,
        condition TEXT NOT NULL, instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, seed TEXT,
        seed_public BOOLEAN NOT NULL, trace TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, details TEXT NOT NULL);
INSERT INTO "runs" VALUES(1,'coin-4492beca','coin-v1','{"flips":3}','{"subject":"human"}','','17c7d0ff082f82c7','cbfe1c127ee4a159','92875815611049355066739078342670888840',0,'full',1.79482464163825106619e+09,'{"reference":"coin","folder":"/home/erin","subjects":{"subject":{"name":"human","options":{},"folder":"/home/erin"}},"limits":{"answer_seconds":60.0,"session_seconds":null,"turns":10000000,"invalid_in_a_row":3},"batch":false,"scoring":"natural-1"}');
INSERT INTO "runs" VALUES(2,'inbox-350f0e53','inbox-v1','{"phases":3,"messages":1,"phase_ticks":10,"patience":5}','{"subject":"chance"}','','29fed8873b1b5c1c','cbfe1c127ee4a159','186822015207667667687978837818233396609',0,'full',1.79482465121531748778e+09,'{"reference":"inbox","folder":"/home/erin","subjects":{"subject":{"name":"chance","options":{},"folder":"/home/erin"}},"limits":{"answer_seconds":60.0,"session_seconds":null,"turns":10000000,"invalid_in_a_row":3},"batch":true,"scoring":"1","sessions":1}');
CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run BIGINT NOT NULL REFERENCES runs (number),
        course BIGINT NOT NULL, phase BIGINT NOT NULL, session BIGINT NOT NULL, "cast" TEXT NOT NULL,
        status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION, last_words TEXT NOT NULL);
INSERT INTO "sessions" VALUES(1,'coin-4492beca/0.0.0',1,0,0,0,'{"subject":"human"}','finished',1.79482464167518782614e+09,1.79482465071623420718e+09,'');
INSERT INTO "sessions" VALUES(2,'coin-4492beca/0.0.1',1,0,0,1,'{"subject":"human"}','open',1.79482464167518782614e+09,NULL,'');
INSERT INTO "sessions" VALUES(3,'coin-4492beca/0.0.2',1,0,0,2,'{"subject":"human"}','open',1.79482464167518782614e+09,NULL,'');
INSERT INTO "sessions" VALUES(4,'inbox-350f0e53/0.0.0',2,0,0,0,'{"subject":"chance"}','open',1.79482465121717500687e+09,NULL,'');
CREATE TABLE signs (name TEXT PRIMARY KEY, holder TEXT NOT NULL, seen DOUBLE PRECISION NOT NULL);
CREATE TABLE truths (
        session BIGINT NOT NULL REFERENCES sessions (number), key TEXT NOT NULL, version BIGINT NOT NULL,
        value TEXT NOT NULL, source TEXT NOT NULL, time DOUBLE PRECISION,
        PRIMARY KEY (session, key, version)) WITHOUT ROWID;
INSERT INTO "truths" VALUES(1,'coin0',1,'0','',NULL);
INSERT INTO "truths" VALUES(1,'coin1',1,'0','',NULL);
INSERT INTO "truths" VALUES(1,'coin2',1,'1','',NULL);
INSERT INTO "truths" VALUES(2,'coin0',1,'0','',NULL);
INSERT INTO "truths" VALUES(2,'coin1',1,'1','',NULL);
INSERT INTO "truths" VALUES(4,'m1',1,'{"folder":"keep","arrived":2,"due":7}','',NULL);
CREATE INDEX sessions_of_run ON sessions (run, status);
CREATE UNIQUE INDEX events_nonce ON events (session, nonce) WHERE nonce IS NOT NULL;
CREATE INDEX events_save ON events (session, number) WHERE kind = 'save';
CREATE INDEX results_of_session ON results (session, scoring);
CREATE INDEX exclusions_of_session ON exclusions (session);
CREATE UNIQUE INDEX artefacts_code ON artefacts (panel, code);
CREATE INDEX ratings_of_artefact ON ratings (artefact, rater);
CREATE INDEX assignments_of_panel ON assignments (panel);
CREATE UNIQUE INDEX ratings_once ON ratings (artefact, rater, item, kind);
CREATE INDEX audit_of_what ON audit (what);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('accounts',1);
INSERT INTO "sqlite_sequence" VALUES('runs',2);
INSERT INTO "sqlite_sequence" VALUES('sessions',4);
INSERT INTO "sqlite_sequence" VALUES('invitations',3);
INSERT INTO "sqlite_sequence" VALUES('results',2);
INSERT INTO "sqlite_sequence" VALUES('exclusions',1);
INSERT INTO "sqlite_sequence" VALUES('audit',1);
COMMIT;
